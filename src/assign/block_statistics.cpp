// SPDX-License-Identifier: BSD-3-Clause
#include "assign/block_statistics.hpp"

#include <algorithm>

namespace coppice {

void BlockStatistics::add(const Part& part, const Components& components, std::size_t first,
                          std::span<const std::int32_t> labels, std::span<double> arena) {
  const std::size_t stats_size = components.stats_size();
  const std::size_t k = arena.size() / stats_size;
  const Units& units = part.units();
  sort_by_label(part, first, labels, k);
  std::size_t begin = 0;
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const auto members = std::span(sorted_).subspan(begin, ends_[cluster] - begin);
    const StatsRef into = arena.subspan(cluster * stats_size, stats_size);
    if (units.are_rows()) {
      add_rows(units.rows(), components, members, into);
    } else {
      for (const std::size_t unit : members) components.merge(into, units.summary(unit));
    }
    begin = ends_[cluster];
  }
}

// Counting sort; stable, so that the order of sums within a cluster is the order of the units.
void BlockStatistics::sort_by_label(const Part& part, std::size_t first, std::span<const std::int32_t> labels,
                                    std::size_t k) {
  ends_.assign(k + 1, 0);
  for (const std::int32_t label : labels) ++ends_[static_cast<std::size_t>(label) + 1];
  for (std::size_t cluster = 0; cluster < k; ++cluster) ends_[cluster + 1] += ends_[cluster];
  sorted_.resize(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sorted_[ends_[static_cast<std::size_t>(labels[i])]++] = part.unit(first + i);
  }
}

void BlockStatistics::add_rows(const Rows& rows, const Components& components, std::span<const std::size_t> chosen,
                               StatsRef into) {
  for (std::size_t begin = 0; begin < chosen.size(); begin += kernels::panel_rows) {
    const auto panel = chosen.subspan(begin, std::min(kernels::panel_rows, chosen.size() - begin));
    RowBlock block(rows, panel, buffer_);
    weights_.clear();
    if (rows.are_weighted()) {
      for (const std::size_t row : panel) weights_.push_back(rows.weight(row));
    }
    components.add(into, block, weights_);
  }
}

}  // namespace coppice
