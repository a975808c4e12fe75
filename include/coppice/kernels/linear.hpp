// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Linear forms a'x + b: the labelling cost of counts and of bits.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

struct LinearForm {
  std::span<const double> a;
  double b = 0.0;
};

// out[form * panel_stride + row] for every row of the panel, and up to 15 meaningless values behind the last one.
void linear_costs(const PanelView& panel, std::span<const LinearForm> forms, double* out) noexcept;

// Many forms for sparse rows: the coefficients of one column lie together, so that an entry of a row serves all forms
// at once.
class LinearTable {
 public:
  LinearTable() = default;
  LinearTable(std::span<const LinearForm> forms, std::size_t n_columns);

  [[nodiscard]] std::size_t size() const noexcept { return n_forms_; }
  // Room that values of all forms need.
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  // The values of all forms at a row given by its entries.
  void at(std::span<const std::uint32_t> columns, std::span<const float> values, double* out) const noexcept;
  void at(std::span<const std::uint32_t> columns, std::span<const double> values, double* out) const noexcept;

 private:
  std::size_t n_forms_ = 0;
  std::size_t stride_ = 0;
  AlignedVector<double> coefficients_;  // [column][form], zeros behind the last form
  AlignedVector<double> constants_;
};

// One form at one row, column after column without contraction: bits depend neither on the instruction set nor on who
// asks, and a row has the same ones whether it is stored sparse or dense. `scale` is |b| + sum |a_d x_d|, what rounding
// errors are measured against.
struct ExactLinear {
  double value = 0.0;
  double scale = 0.0;
};
[[nodiscard]] ExactLinear exact_linear(std::span<const double> x, const LinearForm& form) noexcept;
[[nodiscard]] ExactLinear exact_linear(std::span<const std::uint32_t> columns, std::span<const float> values,
                                       const LinearForm& form) noexcept;
[[nodiscard]] ExactLinear exact_linear(std::span<const std::uint32_t> columns, std::span<const double> values,
                                       const LinearForm& form) noexcept;

}  // namespace coppice::kernels
