// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables for tests of transforms, and short ways to transform them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "coppice/data/transform.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

inline FittedTransforms transformed(const Dataset& data, std::string_view steps, std::size_t threads = 1,
                                    std::uint64_t seed = 0) {
  LocalExecution local(threads);
  return fit_transforms(local.get(), parse_transforms(steps), data, seed);
}

inline Dataset apply(const Transforms& chain, const Dataset& data, std::size_t threads = 1) {
  LocalExecution local(threads);
  return chain.apply(local.get(), data);
}

// Column c has standard deviation decay^c around its number, mixed with the column before it.
inline std::vector<double> correlated_values(std::size_t n_rows, std::size_t n_columns, double decay,
                                             std::uint64_t seed = 1) {
  RandomStream random{seed, Purpose::test, 70};
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    double scale = 1.0;
    double before = 0.0;
    for (std::size_t column = 0; column < n_columns; ++column) {
      before = scale * random.normal() + 0.3 * decay * before;
      values.push_back(static_cast<double>(column % 7) + before);
      scale *= decay;
    }
  }
  return values;
}

inline Dataset correlated_rows(std::size_t n_rows, std::size_t n_columns, double decay, std::uint64_t seed = 1) {
  return Dataset::from_rows(correlated_values(n_rows, n_columns, decay, seed), n_rows, n_columns);
}

// Every row as often as its weight says.
inline Dataset repeated(const Dataset& data) {
  std::vector<double> values;
  std::size_t n_rows = 0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    for (double copy = 0.0; copy < data.weight(row); copy += 1.0, ++n_rows) {
      for (std::size_t column = 0; column < data.n_columns(); ++column) values.push_back(data.value(row, column));
    }
  }
  return Dataset::from_rows(std::move(values), n_rows, data.n_columns());
}

// A table with few entries, as sparse rows and as dense ones. Every 8th row and the second column are empty.
struct SparsePair {
  Dataset sparse;
  Dataset dense;
};

inline SparsePair sparse_pair(std::size_t n_rows, std::size_t n_columns, std::uint64_t seed = 1) {
  RandomStream random{seed, Purpose::test, 71};
  SparseEntries<double> entries{{0}, {}, {}, n_columns};
  std::vector<double> values(n_rows * n_columns, 0.0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t column = 0; column < n_columns; ++column) {
      if (row % 8 == 7 || column == 1 || random.uniform() > 0.2) continue;
      const double value = static_cast<double>(1 + random.below(5)) * (column < n_columns / 2 ? 3.0 : 0.5);
      values[row * n_columns + column] = value;
      entries.columns.push_back(static_cast<std::uint32_t>(column));
      entries.values.push_back(value);
    }
    entries.starts.push_back(entries.columns.size());
  }
  return {Dataset::from_sparse_rows(std::move(entries)), Dataset::from_rows(std::move(values), n_rows, n_columns)};
}

// The largest difference of two tables of one shape.
inline double largest_difference(const Dataset& a, const Dataset& b) {
  double largest = a.n_rows() == b.n_rows() && a.n_columns() == b.n_columns() ? 0.0 : 1e300;
  for (std::size_t row = 0; row < std::min(a.n_rows(), b.n_rows()); ++row) {
    for (std::size_t column = 0; column < std::min(a.n_columns(), b.n_columns()); ++column) {
      largest = std::max(largest, std::abs(a.value(row, column) - b.value(row, column)));
    }
  }
  return largest;
}

}  // namespace coppice::internal
