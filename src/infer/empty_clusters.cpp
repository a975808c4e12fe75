// SPDX-License-Identifier: BSD-3-Clause
// Clusters that ran empty start again at the units that fit worst, as many units as there are empty clusters.
// Everything here must come out the same for shuffled rows, for a row of weight w and w copies of it, and on any number
// of ranks: so units whose costs agree but for rounding count as equal, the first of them by content wins, and all its
// copies go together.

#include "coppice/infer/empty_clusters.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

std::vector<std::int32_t> empty_clusters(const StatsArena& stats) {
  std::vector<std::int32_t> empty;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    if (stats.weight(c) <= 0.0) empty.push_back(static_cast<std::int32_t>(c));
  }
  return empty;
}

// What every unit costs its cluster, per weight; 0 for units without weight.
std::vector<double> costs_of_units(const Execution& execution, const Problem& problem, const StatsArena& stats,
                                   std::span<const std::int32_t> labels) {
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(execution, stats);
  const Units& units = problem.units;
  std::vector<double> costs(units.size(), 0.0);
  const Blocks blocks{.n_items = units.size()};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    std::vector<double> stats_of_unit(clusters->stats_size());
    std::vector<double> cost(kernels::panel_stride);
    BlockBuffer buffer(clusters->n_columns());
    for (std::size_t unit = block.first; unit < block.last; ++unit) {
      if (units.weight(unit) <= 0.0) continue;
      const auto cluster = static_cast<std::size_t>(labels[unit]);
      if (units.are_rows() && units.rows().are_sparse()) {  // statistics have all the columns that rows do not
        RowBlock row(units.rows(), unit, 1, buffer);
        clusters->costs({&labels[unit], 1}, row, cost.data());
        costs[unit] = cost.front();
      } else if (units.are_rows()) {
        std::ranges::fill(stats_of_unit, 0.0);
        RowBlock row(units.rows(), unit, 1, buffer);
        clusters->add(stats_of_unit, row, {});
        costs[unit] = clusters->node_cost(cluster, stats_of_unit);
      } else {
        costs[unit] = clusters->node_cost(cluster, units.summary(unit)) / units.weight(unit);
      }
    }
  });
  return costs;
}

// Units by falling cost.
std::vector<std::size_t> by_falling_cost(std::span<const double> costs) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  return order;
}

bool comes_before(const Units& units, std::size_t a, std::size_t b) {
  return units.are_rows() ? content_less(units.rows().data(), a, b) : a < b;
}

// Whether no rank has a row that comes before this one, the first of this rank; false if it has none.
bool is_first_of_all(const Communicator& ranks, const Units& units, std::optional<std::size_t> first) {
  if (ranks.is_alone()) return first.has_value();
  COPPICE_ASSERT(units.are_rows());
  const Dataset& data = units.rows().data();
  std::vector<double> mine;
  for (std::size_t c = 0; first && c < data.n_columns(); ++c) mine.push_back(data.value(*first, c));
  std::vector<double> values = mine;  // of all: this rank's row stands in front
  for (const std::vector<double>& row : ranks.gather(mine)) values.insert(values.end(), row.begin(), row.end());
  if (!first) return false;
  const std::size_t n_rows = values.size() / data.n_columns();
  const Dataset all = Dataset::from_rows(std::move(values), n_rows, data.n_columns());
  for (std::size_t row = 1; row < n_rows; ++row) {
    if (content_less(all, row, 0)) return false;
  }
  return true;
}

// Of the units of all ranks that cost `most`, give or take rounding, the first by content with all its copies: those of
// this rank. They are taken out of the list.
std::vector<std::size_t> take_costliest(const Communicator& ranks, const Units& units, std::span<const double> costs,
                                        double most, std::vector<std::size_t>& order) {
  // The band within which costs tie (family/tie_rule.hpp).
  constexpr double rounding = 0x1p-36;
  const double least = most * (1.0 - rounding);
  const auto end = std::ranges::find_if(order, [&](std::size_t unit) { return costs[unit] < least; });
  const auto found =
      std::min_element(order.begin(), end, [&](std::size_t a, std::size_t b) { return comes_before(units, a, b); });
  if (!is_first_of_all(ranks, units, found == end ? std::nullopt : std::optional(*found))) return {};
  const std::size_t first = *found;
  const auto is_copy = [&](std::size_t unit) { return !comes_before(units, first, unit); };  // none comes before it
  std::vector<std::size_t> taken;
  std::copy_if(order.begin(), end, std::back_inserter(taken), is_copy);
  order.erase(std::remove_if(order.begin(), end, is_copy), end);
  return taken;
}

// Of every cluster, on all ranks.
std::vector<double> count_members(const Communicator& ranks, const Units& units, std::span<const std::int32_t> labels,
                                  std::size_t k) {
  std::vector<double> mine(k, 0.0);
  for (std::size_t unit = 0; unit < labels.size(); ++unit) {
    if (units.weight(unit) > 0.0) ++mine[static_cast<std::size_t>(labels[unit])];
  }
  std::vector<double> n_members(k, 0.0);
  for (const std::vector<double>& of_rank : ranks.gather(mine)) {
    for (std::size_t c = 0; c < k; ++c) n_members[c] += of_rank[c];
  }
  return n_members;
}

// Takes the units, and those that other ranks take, away from their clusters; false if one of those has no more.
bool can_spare(const Communicator& ranks, std::span<const std::size_t> taken, std::span<const std::int32_t> labels,
               std::vector<double>& n_members) {
  std::vector<double> mine;
  for (const std::size_t unit : taken) mine.push_back(static_cast<double>(labels[unit]));
  const Communicator::Gathered clusters = ranks.gather(mine);
  for (const std::vector<double>& of_rank : clusters) {
    for (const double cluster : of_rank) --n_members[static_cast<std::size_t>(cluster)];
  }
  return std::ranges::all_of(clusters, [&](const std::vector<double>& of_rank) {
    return std::ranges::all_of(of_rank,
                               [&](double cluster) { return n_members[static_cast<std::size_t>(cluster)] > 0.0; });
  });
}

}  // namespace

void fill_empty_clusters(const Execution& execution, const Problem& problem, State& state) {
  const std::vector<std::int32_t> empty = empty_clusters(state.stats);
  if (empty.empty()) return;
  const Units& units = problem.units;
  std::vector<std::int32_t> labels = state.labels.by_unit();
  const std::vector<double> costs = costs_of_units(execution, problem, state.stats, labels);
  const Communicator& ranks = execution.communicator;
  std::vector<double> n_members = count_members(ranks, units, labels, state.k());
  std::vector<std::size_t> order = by_falling_cost(costs);
  for (auto next = empty.begin(); next != empty.end();) {
    const double most = ranks.max(order.empty() ? 0.0 : costs[order.front()]);
    if (!(most > 0.0)) break;
    const std::vector<std::size_t> taken = take_costliest(ranks, units, costs, most, order);
    std::vector<double> n_left = n_members;
    // Filling one cluster must not empty another: such units stay, and the next costliest are asked.
    if (!can_spare(ranks, taken, labels, n_left)) continue;
    n_members = std::move(n_left);
    for (const std::size_t unit : taken) labels[unit] = *next;
    ++next;
  }
  state.labels = labels_by_unit(units, std::move(labels));
  state.stats = statistics_of(execution, units, problem.components, state.labels, state.k());
}

}  // namespace coppice::internal
