// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random counts and bits for the tests of the discrete families, dense and sparse.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/family/family.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {

// Rows about k profiles; most entries are small, many are 0. With a total, all rows add up to it.
inline Dataset random_counts(std::size_t n_rows, std::size_t n_columns, std::size_t k, std::uint64_t seed,
                             std::size_t total = 0) {
  RandomStream random{seed, Purpose::test, 80};
  std::vector<std::vector<double>> profiles(k, std::vector<double>(n_columns));
  for (std::vector<double>& profile : profiles) {
    double sum = 0.0;
    for (double& share : profile) sum += share = random.uniform() * random.uniform() * random.uniform();
    for (double& share : profile) share /= sum;
  }
  std::vector<double> values(n_rows * n_columns, 0.0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::vector<double>& profile = profiles[random.below(k)];
    const std::size_t n_words = total > 0 ? total : random.below(3 * n_columns);
    for (std::size_t word = 0; word < n_words; ++word) {
      double target = random.uniform();
      std::size_t column = 0;
      while (column + 1 < n_columns && target >= profile[column]) target -= profile[column++];
      values[row * n_columns + column] += 1.0;
    }
  }
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

// Rows about k profiles of probabilities, most of them near 0 or 1.
inline Dataset random_bits(std::size_t n_rows, std::size_t n_columns, std::size_t k, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 81};
  std::vector<double> profiles(k * n_columns);
  for (double& share : profiles) share = random.below(2) == 0 ? random.uniform(0.0, 0.3) : random.uniform(0.7, 1.0);
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t profile = random.below(k);
    for (std::size_t c = 0; c < n_columns; ++c) {
      values.push_back(random.uniform() < profiles[profile * n_columns + c] ? 1.0 : 0.0);
    }
  }
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

// The same table in sparse rows; every seventh zero is stored all the same.
template <class Value>
Dataset sparse_as(const Dataset& dense) {
  SparseEntries<Value> entries{{0}, {}, {}, dense.n_columns()};
  std::size_t n_zeros = 0;
  for (std::size_t row = 0; row < dense.n_rows(); ++row) {
    for (std::size_t c = 0; c < dense.n_columns(); ++c) {
      if (dense.value(row, c) == 0.0 && ++n_zeros % 7 != 0) continue;
      entries.columns.push_back(static_cast<std::uint32_t>(c));
      entries.values.push_back(static_cast<Value>(dense.value(row, c)));
    }
    entries.starts.push_back(entries.columns.size());
  }
  const Dataset sparse = Dataset::from_sparse_rows(std::move(entries));
  return dense.weights().empty() ? sparse : sparse.with_weights(dense.weights());
}
inline Dataset sparse_copy(const Dataset& dense) { return sparse_as<double>(dense); }

inline Rows rows_of(Dataset data) {
  const std::size_t n_columns = data.n_columns();
  return Rows(std::move(data), std::vector<double>(n_columns, 0.0));
}

inline Rows rows_from(std::vector<double> values, std::size_t n_columns) {
  const std::size_t n_rows = values.size() / n_columns;
  return rows_of(Dataset::from_rows(std::move(values), n_rows, n_columns));
}

// Statistics of rows first..last-1 with the table's weights, or with those given.
template <class F>
std::vector<double> discrete_stats(const F& family, const Rows& rows, std::size_t first, std::size_t last,
                                   Weights weights = {}) {
  if (weights.empty()) weights = rows.data().weights();
  std::vector<double> stats(family.stats_size(), 0.0);
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t at = first; at < last; at += kernels::panel_rows) {
    RowBlock block(rows, at, std::min(kernels::panel_rows, last - at), buffer);
    family.add(stats, block, weights.empty() ? weights : weights.subspan(at, block.n_rows()));
  }
  return stats;
}
template <class F>
std::vector<double> discrete_stats(const F& family, const Rows& rows) {
  return discrete_stats(family, rows, 0, rows.size());
}

}  // namespace coppice::internal
