// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The directions in which rows vary most: leading eigenvectors of their covariance.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

// Rows less their weighted mean and times a power of two, so that squares neither overflow nor vanish.
struct CentredRows {
  const Dataset& data;
  std::vector<double> mean;    // in the table's own units
  double factor = 1.0;         // of the values
  double weight_factor = 1.0;  // of the weights
  double total_weight = 0.0;   // of the weights times their factor
  std::size_t n_rows = 0;      // that weigh something

  static CentredRows make(const Execution& execution, const Dataset& data);

  [[nodiscard]] double weight(std::size_t row) const noexcept { return data.weight(row) * weight_factor; }
  // Halves, since the difference of the largest numbers does not fit a double.
  [[nodiscard]] double centred(std::size_t column, double value) const noexcept {
    return (value / 2.0 - mean[column] / 2.0) * (2.0 * factor);
  }
  // Dense rows first..last-1, each times the square root of its weight.
  void copy(std::size_t first, std::size_t last, double* out) const;
};

struct PrincipalDirections {
  std::vector<double> directions;  // unit vectors over the columns, one after the other, most variance first
  std::vector<double> variances;   // along them
  double total_variance = 0.0;     // over all columns
};

// From the covariance matrix; for few columns.
inline constexpr std::size_t most_columns_for_covariance = 1024;
[[nodiscard]] PrincipalDirections directions_of_covariance(const Execution& execution, const CentredRows& rows,
                                                           std::size_t n_directions);

// From the products of the rows with each other; for fewer rows than columns, dense ones.
inline constexpr std::size_t most_rows_for_products = 1024;
[[nodiscard]] PrincipalDirections directions_of_few_rows(const CentredRows& rows, std::size_t n_directions);

// By randomized subspace iteration (Halko, Martinsson and Tropp 2011), without a matrix of columns by columns. `stream`
// keeps the random numbers of several calls apart.
[[nodiscard]] PrincipalDirections directions_by_sampling(const Execution& execution, const CentredRows& rows,
                                                         std::size_t n_directions, std::uint64_t seed,
                                                         std::uint64_t stream);

}  // namespace coppice::internal
