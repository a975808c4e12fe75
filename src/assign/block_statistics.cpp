// SPDX-License-Identifier: BSD-3-Clause
#include "assign/block_statistics.hpp"

#include <algorithm>

namespace coppice {

void BlockStatistics::add(const UnitSubset& subset, const Components& components, std::size_t first,
                          std::span<const std::int32_t> labels, std::span<double> arena) {
  const std::size_t stats_size = components.stats_size();
  const std::size_t k = arena.size() / stats_size;
  sort_by_label(subset, first, labels, k);
  std::size_t begin = 0;
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const std::size_t end = ends_[cluster];
    if (end > begin) {
      add_cluster(subset.units, components, std::span(sorted_).subspan(begin, end - begin),
                  arena.subspan(cluster * stats_size, stats_size));
    }
    begin = end;
  }
}

// Counting sort; stable, so that the order of sums within a cluster is the order of the units.
void BlockStatistics::sort_by_label(const UnitSubset& subset, std::size_t first, std::span<const std::int32_t> labels,
                                    std::size_t k) {
  ends_.assign(k + 1, 0);
  for (const std::int32_t label : labels) ++ends_[static_cast<std::size_t>(label) + 1];
  for (std::size_t cluster = 0; cluster < k; ++cluster) ends_[cluster + 1] += ends_[cluster];
  sorted_.resize(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sorted_[ends_[static_cast<std::size_t>(labels[i])]++] = subset.unit(first + i);
  }
}

void BlockStatistics::add_cluster(const Units& units, const Components& components,
                                  std::span<const std::size_t> members, StatsRef into) {
  if (!units.are_rows()) {
    for (const std::size_t unit : members) components.merge(into, units.summary(unit));
    return;
  }
  for (std::size_t begin = 0; begin < members.size(); begin += kernels::panel_rows) {
    const auto panel = members.subspan(begin, std::min(kernels::panel_rows, members.size() - begin));
    RowBlock block(units.rows(), panel, buffer_);
    weights_.clear();
    if (units.rows().are_weighted()) {
      for (const std::size_t row : panel) weights_.push_back(units.weight(row));
    }
    components.add(into, block, weights_);
  }
}

}  // namespace coppice
