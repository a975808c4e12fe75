// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/node_costs.hpp"

#include <algorithm>

namespace coppice {

namespace {

// Four sums side by side: one alone would wait for itself.
double dot(const double* a, const double* b, std::size_t n) {
  double sums[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

kernels::PanelView load_means(std::span<const ConstStatsRef> nodes, std::size_t n_columns, bool are_sums,
                              kernels::AlignedVector<double>& panel) {
  constexpr std::size_t padding = 16;  // kernels read whole vectors
  panel.resize(n_columns * kernels::panel_stride);
  const std::size_t n_read = std::min((nodes.size() + padding - 1) / padding * padding, kernels::panel_stride);
  for (std::size_t i = 0; i < n_read; ++i) {
    // Families of counts keep sums, others means; nodes without weight, and the places behind the last, are 0.
    const double factor = i >= nodes.size() || !(nodes[i][0] > 0.0) ? 0.0 : are_sums ? 1.0 / nodes[i][0] : 1.0;
    for (std::size_t c = 0; c < n_columns; ++c) {
      panel[c * kernels::panel_stride + i] = factor > 0.0 ? factor * nodes[i][1 + c] : 0.0;
    }
  }
  return {panel.data(), nodes.size(), n_columns};
}

void add_scatter_costs(std::span<const ConstStatsRef> nodes, std::size_t n_columns,
                       std::span<const double> scatter_costs, std::size_t k, double* out) {
  const std::size_t n = k == 0 ? 0 : scatter_costs.size() / k;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double weight = nodes[i][0];
    const double* second = nodes[i].data() + 1 + n_columns;
    for (std::size_t c = 0; c < k; ++c) {
      double& cost = out[c * kernels::panel_stride + i];
      cost = weight > 0.0 ? weight * cost + dot(scatter_costs.data() + c * n, second, n) : 0.0;
    }
  }
}

}  // namespace coppice
