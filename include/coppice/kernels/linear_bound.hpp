// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The least value of a linear form over a box, and which of many forms are out of the question there: the difference of
// two forms is linear, so that its least value is exact.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coppice/kernels/linear.hpp"
#include "coppice/kernels/pair_bound.hpp"

namespace coppice::kernels {

// The least a'x + b for low <= x <= high.
[[nodiscard]] double least_in_box(const LinearForm& form, std::span<const double> low,
                                  std::span<const double> high) noexcept;

// The same among the points whose columns add up to `total`: from `low`, the cheapest columns are filled first (a
// fractional knapsack). There must be such a point.
[[nodiscard]] double least_in_box(const LinearForm& form, std::span<const double> low, std::span<const double> high,
                                  double total);

class LinearTester {
 public:
  // If every row adds up to the same total, that makes for better bounds.
  explicit LinearTester(std::size_t n_columns, std::optional<double> total = std::nullopt)
      : n_columns_(n_columns), total_(total) {}
  void append(const LinearForm& form, double offset);

  // Drops every candidate (a form's number) that the one which is least at the centre beats everywhere in the box, by
  // form + offset; moves the others to the front in their order, and returns how many there are. `scratch` grows as
  // needed. Being beaten means by more than lead + band (1 + 2 reach), where reach is as large as |value + offset| +
  // |b| + sum |a_d x_d| gets for any of the candidates anywhere in the box.
  std::size_t drop_beaten(const double* low, const double* high, const PairMargin& margin,
                          std::span<std::int32_t> candidates, std::vector<double>& scratch) const;

 private:
  struct Constant {
    double value = 0.0;  // b + offset
    double size = 0.0;   // |b| + |b + offset|
  };
  [[nodiscard]] const double* a(std::int32_t form) const noexcept {
    return coefficients_.data() + static_cast<std::size_t>(form) * n_columns_;
  }

  std::size_t n_columns_;
  std::optional<double> total_;
  std::vector<double> coefficients_;  // form by form
  std::vector<Constant> constants_;
};

}  // namespace coppice::kernels
