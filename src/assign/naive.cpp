// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/naive.hpp"

#include <algorithm>
#include <memory>

#include "assign/block_statistics.hpp"
#include "runtime/assert.hpp"

namespace coppice {

namespace {

// What one thread works in.
struct Workspace {
  explicit Workspace(std::size_t n_columns) : buffer(n_columns), statistics(n_columns), best(kernels::panel_rows) {}
  BlockBuffer buffer;
  NearestWorkspace nearest;
  BlockStatistics statistics;
  std::vector<double> best;
};

// One workspace per thread, made by the thread that uses it.
class Workspaces {
 public:
  Workspaces(std::size_t n_threads, std::size_t n_columns) : n_columns_(n_columns), of_worker_(n_threads) {}
  Workspace& operator[](std::size_t worker) {
    if (!of_worker_[worker]) of_worker_[worker] = std::make_unique<Workspace>(n_columns_);
    return *of_worker_[worker];
  }

 private:
  std::size_t n_columns_;
  std::vector<std::unique_ptr<Workspace>> of_worker_;
};

// Accumulators hold the statistics of all clusters, then the data term and the number of changed labels.
constexpr std::size_t n_extra = 2;

void merge_accumulators(const Components& components, std::span<double> into, std::span<const double> from) {
  const std::size_t stats_size = components.stats_size();
  const std::size_t n_stats = into.size() - n_extra;
  for (std::size_t at = 0; at < n_stats; at += stats_size) {
    components.merge(into.subspan(at, stats_size), from.subspan(at, stats_size));
  }
  into[n_stats] += from[n_stats];
  into[n_stats + 1] += from[n_stats + 1];
}

// One labelling pass over a subset: what every block of it shares.
struct Pass {
  const UnitSubset& subset;
  const Components& components;
  std::span<const double> offsets;
  std::span<const std::int32_t> present;
  std::span<std::int32_t> labels;

  // Labels of at most a panel of positions; returns their summed cost.
  double label_panel(std::size_t first, std::size_t count, Workspace& workspace) const {
    const auto old_labels = present.subspan(first, count);
    const auto new_labels = labels.subspan(first, count);
    const Units& units = subset.units;
    double sum = 0.0;
    if (!units.are_rows()) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto node = components.nearest_node(offsets, units.summary(subset.unit(first + i)), old_labels[i]);
        new_labels[i] = node.label;
        sum += node.cost;
      }
      return sum;
    }
    RowBlock block = subset.chosen.empty()
                         ? RowBlock(units.rows(), first, count, workspace.buffer)
                         : RowBlock(units.rows(), subset.chosen.subspan(first, count), workspace.buffer);
    components.nearest(offsets, {}, block, {old_labels, new_labels, workspace.best}, workspace.nearest);
    for (std::size_t i = 0; i < count; ++i) sum += units.weight(subset.unit(first + i)) * workspace.best[i];
    return sum;
  }

  void block(std::span<double> accumulator, std::size_t first, std::size_t last, Workspace& workspace) const {
    const std::size_t n_stats = accumulator.size() - n_extra;
    for (std::size_t at = first; at < last; at += kernels::panel_rows) {
      accumulator[n_stats] += label_panel(at, std::min(kernels::panel_rows, last - at), workspace);
    }
    std::size_t n_changed = 0;
    for (std::size_t at = first; at < last; ++at) n_changed += labels[at] != present[at] ? 1 : 0;
    accumulator[n_stats + 1] += static_cast<double>(n_changed);
    workspace.statistics.add(subset, components, first, labels.subspan(first, last - first),
                             accumulator.first(n_stats));
  }
};

}  // namespace

Assignment assign_naive(const Execution& execution, const UnitSubset& subset, const Components& components,
                        std::span<const double> offsets, std::span<const std::int32_t> present,
                        std::span<std::int32_t> labels) {
  COPPICE_ASSERT(offsets.size() == components.size());
  const Pass pass{subset, components, offsets, present, labels};
  const Blocks blocks{.n_items = subset.size()};
  Workspaces workspaces(execution.pool.n_threads(), components.n_columns());
  const std::size_t n_stats = components.size() * components.stats_size();
  std::vector<double> total =
      ordered_sum(execution, blocks,
                  {.size = n_stats + n_extra,
                   .add =
                       [&](std::span<double> accumulator, std::size_t block, std::size_t worker) {
                         pass.block(accumulator, blocks.first(block), blocks.last(block), workspaces[worker]);
                       },
                   .merge = [&](auto into, auto from) { merge_accumulators(components, into, from); }});
  Assignment result;
  result.data_term = total[n_stats];
  result.n_changed = static_cast<std::size_t>(total[n_stats + 1]);
  total.resize(n_stats);
  result.stats = StatsArena(std::move(total), components.stats_size());
  return result;
}

StatsArena statistics_of(const Execution& execution, const UnitSubset& subset, const Components& components,
                         std::span<const std::int32_t> labels, std::size_t k) {
  const Blocks blocks{.n_items = subset.size()};
  Workspaces workspaces(execution.pool.n_threads(), components.n_columns());
  const std::size_t n_stats = k * components.stats_size();
  std::vector<double> total =
      ordered_sum(execution, blocks,
                  {.size = n_stats + n_extra,
                   .add =
                       [&](std::span<double> accumulator, std::size_t block, std::size_t worker) {
                         const std::size_t first = blocks.first(block);
                         workspaces[worker].statistics.add(subset, components, first,
                                                           labels.subspan(first, blocks.last(block) - first),
                                                           accumulator.first(n_stats));
                       },
                   .merge = [&](auto into, auto from) { merge_accumulators(components, into, from); }});
  total.resize(n_stats);
  return StatsArena(std::move(total), components.stats_size());
}

}  // namespace coppice
