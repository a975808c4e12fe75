// SPDX-License-Identifier: BSD-3-Clause
// Rows without weight join the first heavy row of their label at height 0, before all other merges, and nothing else of
// the tree changes but the numbers of its nodes.

#include "coppice/structure/weightless_leaves.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace coppice::internal {

Hierarchy with_weightless_leaves(const Hierarchy& heavy, std::span<const std::size_t> heavy_rows,
                                 std::span<const std::int32_t> labels) {
  const std::size_t n_heavy = heavy_rows.size();
  std::map<std::int32_t, std::size_t> host;  // of a label: the first heavy row, by its number among those
  std::vector<bool> is_heavy(labels.size(), false);
  for (std::size_t i = 0; i < n_heavy; ++i) {
    host.emplace(labels[heavy_rows[i]], i);
    is_heavy[heavy_rows[i]] = true;
  }

  Hierarchy all{{labels.size(), {}}, {}};
  std::vector<std::uint32_t> node(heavy_rows.begin(), heavy_rows.end());  // in the tree over all, by that over some
  std::vector<double> size(n_heavy, 1.0);
  const auto join = [&](std::uint32_t a, std::uint32_t b, double height, double leaves) {
    all.tree.merges.push_back({std::min(a, b), std::max(a, b), height, leaves});
    return static_cast<std::uint32_t>(labels.size() + all.tree.merges.size() - 1);
  };
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (is_heavy[row]) continue;
    const std::size_t at = host.at(labels[row]);
    size[at] += 1.0;
    node[at] = join(node[at], static_cast<std::uint32_t>(row), 0.0, size[at]);
    // Joining a row that weighs nothing leaves the objective as it is.
    all.objective.push_back(heavy.objective.front());
  }
  for (const Merge& merge : heavy.tree.merges) {
    size.push_back(size[merge.a] + size[merge.b]);
    node.push_back(join(node[merge.a], node[merge.b], merge.height, size.back()));
  }
  all.objective.insert(all.objective.end(), heavy.objective.begin(), heavy.objective.end());
  return all;
}

}  // namespace coppice::internal
