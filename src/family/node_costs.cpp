// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/node_costs.hpp"

#include <algorithm>
#include <array>

#include "coppice/kernels/dot_products.hpp"

namespace coppice {

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
  std::array<double, 64> products;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double weight = nodes[i][0];
    const double* second = nodes[i].data() + 1 + n_columns;
    for (std::size_t first = 0; first < k; first += products.size()) {
      const std::size_t count = std::min(products.size(), k - first);
      kernels::dot_products(second, n, scatter_costs.data() + first * n, count, products.data());
      for (std::size_t c = 0; c < count; ++c) {
        double& cost = out[(first + c) * kernels::panel_stride + i];
        cost = weight > 0.0 ? weight * cost + products[c] : 0.0;
      }
    }
  }
}

}  // namespace coppice
