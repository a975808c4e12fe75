// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows about k centres far apart, with the tails of a Student t of whole degrees of freedom.

#include <cmath>
#include <vector>

#include "coppice/data/generate.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

inline Generated student_rows(std::size_t n_rows, std::size_t n_columns, std::size_t k, double freedom,
                              std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 60};
  std::vector<double> centres(k * n_columns);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < n_columns; ++i) {
      centres[c * n_columns + i] = 12.0 * (i == c % n_columns ? static_cast<double>(c + 1) : random.uniform());
    }
  }
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t c = row % k;
    double squares = 0.0;  // chi-square
    for (double i = 0.0; i < freedom; i += 1.0) squares += std::pow(random.normal(), 2);
    const double scale = std::sqrt(freedom / squares);
    for (std::size_t i = 0; i < n_columns; ++i) {
      values.push_back(centres[c * n_columns + i] + scale * random.normal());
    }
    labels.push_back(static_cast<std::int32_t>(c));
  }
  return {Dataset::from_rows(std::move(values), n_rows, n_columns), std::move(labels)};
}

}  // namespace coppice::internal
