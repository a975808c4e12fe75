// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see linear.hpp.
// Sparse rows skip what would add 0, which changes no bit of a sum: a row has the same value however it is stored.

#include <cmath>

#include "coppice/kernels/linear.hpp"

namespace coppice::kernels {

namespace {

struct Sum {
  double value = 0.0;
  double scale = 0.0;

  void add(double product) noexcept {
    value += product;
    scale += std::abs(product);
  }
  [[nodiscard]] ExactLinear with(double b) const noexcept { return {value + b, scale + std::abs(b)}; }
};

template <class Value>
ExactLinear exact_at_entries(std::span<const std::uint32_t> columns, std::span<const Value> values,
                             const LinearForm& form) noexcept {
  Sum sum;
  for (std::size_t entry = 0; entry < columns.size(); ++entry) {
    sum.add(form.a[columns[entry]] * static_cast<double>(values[entry]));
  }
  return sum.with(form.b);
}

}  // namespace

ExactLinear exact_linear(std::span<const double> x, const LinearForm& form) noexcept {
  Sum sum;
  for (std::size_t column = 0; column < x.size(); ++column) sum.add(form.a[column] * x[column]);
  return sum.with(form.b);
}

ExactLinear exact_linear(std::span<const std::uint32_t> columns, std::span<const float> values,
                         const LinearForm& form) noexcept {
  return exact_at_entries(columns, values, form);
}

ExactLinear exact_linear(std::span<const std::uint32_t> columns, std::span<const double> values,
                         const LinearForm& form) noexcept {
  return exact_at_entries(columns, values, form);
}

}  // namespace coppice::kernels
