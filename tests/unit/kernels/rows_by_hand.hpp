// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers at random, rows that hold them, and squared distances whose bits kernels are compared with.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/kernels/panel.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::kernels {

inline std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  internal::RandomStream random{seed, internal::Purpose::test, 90};
  std::vector<double> numbers(n);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

inline void set_values(StoredRows& rows, const std::vector<float>& values) { rows.floats = values.data(); }
inline void set_values(StoredRows& rows, const std::vector<double>& values) { rows.doubles = values.data(); }

// Column by column, each product rounded before it is added.
inline double by_hand(const double* row, const double* point, std::size_t n_columns) {
  double sum = 0.0;
  for (std::size_t c = 0; c < n_columns; ++c) {
    const volatile double square = (row[c] - point[c]) * (row[c] - point[c]);  // volatile: no fused multiply-add
    sum += square;
  }
  return sum;
}

}  // namespace coppice::kernels
