// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random rows and priors for the tests of Gaussian clusters.

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/family/gaussian.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

inline Rows make_rows(std::vector<double> values, std::size_t n_columns) {
  const std::size_t n_rows = values.size() / n_columns;
  return Rows(Dataset::from_rows(std::move(values), n_rows, n_columns), std::vector<double>(n_columns, 0.0));
}

inline std::vector<double> random_values(std::size_t n, std::uint64_t seed, double spread = 2.0) {
  RandomStream random{seed, Purpose::test};
  std::vector<double> values(n);
  for (double& value : values) value = 0.5 + spread * random.normal();
  return values;
}

inline Rows random_rows(std::size_t n_rows, std::size_t n_columns, std::uint64_t seed) {
  return make_rows(random_values(n_rows * n_columns, seed), n_columns);
}

inline std::vector<double> random_weights(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 99};
  std::vector<double> weights(n);
  for (double& weight : weights) weight = random.uniform(0.05, 1.7);
  return weights;
}

// B0 = G G' + I for a random G.
inline NormalWishart random_prior(std::size_t d, std::uint64_t seed) {
  const std::vector<double> g = random_values(d * d, seed + 1000, 0.5);
  NormalWishart prior{random_values(d, seed + 2000, 1.0), 0.3, static_cast<double>(d) + 0.25,
                      std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < d; ++k) prior.b0[i * d + j] += g[i * d + k] * g[j * d + k];
      prior.b0[i * d + j] += i == j ? 1.0 : 0.0;
    }
  }
  return prior;
}

using Stats = std::vector<double>;

// Statistics of rows first..last-1, taken in block by block.
template <class F>
Stats stats_of(const F& family, const Rows& rows, std::size_t first, std::size_t last, Weights weights = {}) {
  Stats stats(family.stats_size(), 0.0);
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t at = first; at < last; at += kernels::panel_rows) {
    RowBlock block(rows, at, std::min(kernels::panel_rows, last - at), buffer);
    family.add(stats, block, weights.empty() ? weights : weights.subspan(at, block.n_rows()));
  }
  return stats;
}
template <class F>
Stats stats_of(const F& family, const Rows& rows, Weights weights = {}) {
  return stats_of(family, rows, 0, rows.size(), weights);
}

// A block function of the family (costs, log_predictive) for one cluster and every row.
template <class BlockFunction>
std::vector<double> for_rows(const Rows& rows, const BlockFunction& function) {
  BlockBuffer buffer(rows.n_columns());
  std::vector<double> out(kernels::panel_stride);
  std::vector<double> result;
  for (std::size_t first = 0; first < rows.size(); first += kernels::panel_rows) {
    RowBlock block(rows, first, std::min(kernels::panel_rows, rows.size() - first), buffer);
    function(block, out.data());
    result.insert(result.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(block.n_rows()));
  }
  return result;
}
template <class F>
std::vector<double> costs_of(const F& family, const typename F::Posterior& q, const Rows& rows) {
  return for_rows(rows, [&](RowBlock& block, double* out) { family.costs({&q, 1}, block, out); });
}
template <class F>
std::vector<double> log_predictive_of(const F& family, const typename F::Posterior& q, const Rows& rows) {
  return for_rows(rows, [&](RowBlock& block, double* out) { family.log_predictive({&q, 1}, block, out); });
}

}  // namespace coppice::internal
