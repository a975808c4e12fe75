// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/centred_stats.hpp"

#include <vector>

namespace coppice::internal {

void scale_centred(StatsRef stats, std::size_t n_columns, double factor) noexcept {
  stats.front() *= factor;
  for (double& entry : stats.subspan(1 + n_columns)) entry *= factor;
}

std::vector<double> trace_factors(const std::vector<double>& matrix, std::size_t n_columns) {
  std::vector<double> factors;
  for (std::size_t row = 0; row < n_columns; ++row) {
    // Each entry beside the diagonal stands for two.
    for (std::size_t column = 0; column < row; ++column) factors.push_back(2.0 * matrix[row * n_columns + column]);
    factors.push_back(matrix[row * n_columns + row]);
  }
  return factors;
}

void pool_scatter(StatsArena& stats, std::size_t n_columns) {
  const std::size_t first = 1 + n_columns;
  std::vector<double> pooled(stats.stats_size() - first, 0.0);
  double total = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    total += stats.weight(c);
    const StatsRef scatter = stats[c].subspan(first);
    for (std::size_t i = 0; i < pooled.size(); ++i) pooled[i] += scatter[i];
  }
  if (!(total > 0.0)) return;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    const StatsRef scatter = stats[c].subspan(first);
    // Each cluster has the part of the pooled scatter that makes its covariance the pooled one.
    const double share = stats.weight(c) / total;
    for (std::size_t i = 0; i < pooled.size(); ++i) scatter[i] = share * pooled[i];
  }
}

}  // namespace coppice::internal
