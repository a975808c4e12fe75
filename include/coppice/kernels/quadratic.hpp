// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Quadratic forms ||W (x - m)||^2 + a over a panel of rows, W lower triangular: the labelling cost of a Gaussian
// cluster.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// A lower-triangular matrix in bands of four rows: for every column of a band its four coefficients lie together, which
// is the order in which the kernel reads them. Zero above the diagonal and below the last row.
class BandedTriangle {
 public:
  BandedTriangle() = default;
  explicit BandedTriangle(std::size_t n) : n_(n), values_(size_of(n), 0.0) {}

  [[nodiscard]] std::size_t n() const noexcept { return n_; }
  [[nodiscard]] double& at(std::size_t row, std::size_t column) noexcept { return values_[index(row, column)]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const noexcept { return values_[index(row, column)]; }
  [[nodiscard]] const double* band(std::size_t b) const noexcept { return values_.data() + offset(b); }
  bool operator==(const BandedTriangle&) const = default;

 private:
  // Band b has 4 (b + 1) columns of four coefficients; the bands before it hold 16 (1 + ... + b) of them.
  [[nodiscard]] static std::size_t offset(std::size_t b) noexcept { return 8 * b * (b + 1); }
  [[nodiscard]] static std::size_t size_of(std::size_t n) noexcept { return offset((n + 3) / 4); }
  [[nodiscard]] static std::size_t index(std::size_t row, std::size_t column) noexcept {
    return offset(row / 4) + 4 * column + row % 4;
  }

  std::size_t n_ = 0;
  std::vector<double> values_;
};

struct QuadraticForm {
  std::span<const double> m;
  const BandedTriangle* w = nullptr;
  double a = 0.0;
};

// out[row] for every row of the panel, and up to 15 meaningless values behind the last one.
void quadratic_costs(const PanelView& panel, const QuadraticForm& form, double* out) noexcept;

// The same for one row, in a fixed order of operations without contraction: bits depend neither on the instruction set
// nor on who asks. `scale` is sum_j c_j (x_j - m_j)^2, what rounding errors are measured against: c_j is the squared
// length of W's column j, so that the columns' units do not matter.
struct ExactQuadratic {
  double value = 0.0;
  double scale = 0.0;
};
[[nodiscard]] ExactQuadratic exact_quadratic(std::span<const double> x, const QuadraticForm& form,
                                             std::span<const double> squared_columns) noexcept;
// ||x - m||^2, likewise.
[[nodiscard]] double exact_squared_distance(std::span<const double> x, std::span<const double> m) noexcept;

// x becomes the y with W y = x, in a fixed order of operations, too. No entry of W's diagonal is 0.
void solve_triangle(const BandedTriangle& w, std::span<double> x) noexcept;

}  // namespace coppice::kernels
