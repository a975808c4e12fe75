// SPDX-License-Identifier: BSD-3-Clause
// A block's rows are brought into the order of their labels before anything is added: a family then sees up to 256 rows
// of one cluster at a time, and one virtual call serves all of them. Row by row, each would be a call of its own, and
// its sums would go to another place among K. The sort is O(rows + K), which is why many more clusters than rows in a
// block are another matter (sparse_statistics.hpp).

#include "assign/block_statistics.hpp"

#include <algorithm>

#include "coppice/kernels/few_columns.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

void BlockStatistics::add(const Subset& subset, const Components& components, std::size_t first,
                          std::span<const std::int32_t> labels, std::span<double> arena, AddAs as) {
  const std::size_t stats_size = components.stats_size();
  const std::size_t k = arena.size() / stats_size;
  const Units& units = subset.units();
  sort_by_label(subset, first, labels, k);
  std::size_t begin = 0;
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const auto members = std::span(sorted_).subspan(begin, ends_[cluster] - begin);
    const StatsRef into = arena.subspan(cluster * stats_size, stats_size);
    if (units.are_rows()) {
      add_rows(units.rows(), members, [&](RowBlock& block, Weights weights) {
        look_at_the_clock(components);
        if (as == AddAs::members) return components.add_members(cluster, into, block, weights);
        components.add(into, block, weights);
      });
    } else {
      for (const std::size_t unit : members) components.merge(into, units.summary(unit));
    }
    begin = ends_[cluster];
  }
}

// Counting sort; stable, so that the order of sums within a cluster is the order of the units.
void BlockStatistics::sort_by_label(const Subset& subset, std::size_t first, std::span<const std::int32_t> labels,
                                    std::size_t k) {
  ends_.assign(k + 1, 0);
  for (const std::int32_t label : labels) {
    if (label >= 0) ++ends_[static_cast<std::size_t>(label) + 1];
  }
  for (std::size_t cluster = 0; cluster < k; ++cluster) ends_[cluster + 1] += ends_[cluster];
  sorted_.resize(ends_[k]);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) sorted_[ends_[static_cast<std::size_t>(labels[i])]++] = subset.unit(first + i);
  }
}

template <class Add>
void BlockStatistics::add_rows(const Rows& rows, std::span<const std::size_t> chosen, const Add& add) {
  for (std::size_t begin = 0; begin < chosen.size(); begin += kernels::panel_rows) {
    const auto panel = chosen.subspan(begin, std::min(kernels::panel_rows, chosen.size() - begin));
    // The rows of the next clusters stand behind this panel in the list: a kernel may ask memory for them in advance.
    const auto n_following = static_cast<std::size_t>(sorted_.data() + sorted_.size() - (panel.data() + panel.size()));
    RowBlock block(rows, panel, buffer_, n_following);
    weights_.clear();
    if (rows.are_weighted()) {
      for (const std::size_t row : panel) weights_.push_back(rows.weight(row));
    }
    add(block, weights_);
  }
}

void BlockStatistics::look_at_the_clock(const Components& components) const {
  throw_if_stopped_before(stop_, static_cast<double>(kernels::panel_rows) * components.operations_per_row());
}

void BlockStatistics::add_run(const Rows& rows, const Components& components, std::size_t first, std::size_t n_rows,
                              StatsRef into) {
  const Weights weights = rows.data().weights();
  for (std::size_t at = first; at < first + n_rows; at += kernels::panel_rows) {
    look_at_the_clock(components);
    const std::size_t count = std::min(kernels::panel_rows, first + n_rows - at);
    RowBlock block(rows, at, count, buffer_);
    components.add(into, block, weights.empty() ? weights : weights.subspan(at, count));
  }
}

void BlockStatistics::add_labelled(const Rows& rows, const Components& components, std::size_t first,
                                   std::span<const std::int32_t> labels, std::int32_t label, StatsRef into) {
  if (rows.n_columns() <= kernels::most_few_columns) return add_masked(rows, components, first, labels, label, into);
  sorted_.clear();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == label) sorted_.push_back(first + i);
  }
  add_rows(rows, sorted_, [&](RowBlock& block, Weights weights) {
    look_at_the_clock(components);
    components.add(into, block, weights);
  });
}

// Few columns: rows of other labels with weight 0 cost less than picking out the rows of this one.
void BlockStatistics::add_masked(const Rows& rows, const Components& components, std::size_t first,
                                 std::span<const std::int32_t> labels, std::int32_t label, StatsRef into) {
  const Weights weights = rows.data().weights();
  for (std::size_t begin = 0; begin < labels.size(); begin += kernels::panel_rows) {
    const auto of_block = labels.subspan(begin, std::min(kernels::panel_rows, labels.size() - begin));
    weights_.resize(of_block.size());
    std::int32_t n_rows = 0;
    for (std::size_t i = 0; i < of_block.size(); ++i) {
      const std::int32_t is_member = of_block[i] == label ? 1 : 0;
      weights_[i] = is_member;
      n_rows += is_member;
    }
    if (n_rows == 0) continue;
    if (!weights.empty()) {
      for (std::size_t i = 0; i < of_block.size(); ++i) weights_[i] *= weights[first + begin + i];
    }
    RowBlock block(rows, first + begin, of_block.size(), buffer_);
    components.add(into, block, weights_);
  }
}

}  // namespace coppice::internal
