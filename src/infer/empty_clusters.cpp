// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/empty_clusters.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice {

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

// Of the units that cost as much as the first one, give or take rounding, the first by content with all its copies.
// They are taken out of the list.
std::vector<std::size_t> take_costliest(const Units& units, std::span<const double> costs,
                                        std::vector<std::size_t>& order) {
  constexpr double rounding = 0x1p-36;
  const double least = costs[order.front()] * (1.0 - rounding);
  const auto end = std::ranges::find_if(order, [&](std::size_t unit) { return costs[unit] < least; });
  const std::size_t first =
      *std::min_element(order.begin(), end, [&](std::size_t a, std::size_t b) { return comes_before(units, a, b); });
  const auto is_copy = [&](std::size_t unit) { return !comes_before(units, first, unit); };  // none comes before it
  std::vector<std::size_t> taken;
  std::copy_if(order.begin(), end, std::back_inserter(taken), is_copy);
  order.erase(std::remove_if(order.begin(), end, is_copy), end);
  return taken;
}

}  // namespace

void fill_empty_clusters(const Execution& execution, const Problem& problem, State& state) {
  const std::vector<std::int32_t> empty = empty_clusters(state.stats);
  if (empty.empty()) return;
  const Units& units = problem.units;
  std::vector<std::int32_t> labels = state.labels.by_unit();
  const std::vector<double> costs = costs_of_units(execution, problem, state.stats, labels);
  std::vector<std::size_t> n_members(state.k(), 0);
  for (std::size_t unit = 0; unit < labels.size(); ++unit) {
    if (units.weight(unit) > 0.0) ++n_members[static_cast<std::size_t>(labels[unit])];
  }
  std::vector<std::size_t> order = by_falling_cost(costs);
  for (auto next = empty.begin(); next != empty.end() && !order.empty() && costs[order.front()] > 0.0;) {
    const std::vector<std::size_t> taken = take_costliest(units, costs, order);
    std::vector<std::size_t> n_left = n_members;
    for (const std::size_t unit : taken) --n_left[static_cast<std::size_t>(labels[unit])];
    if (std::ranges::any_of(taken,
                            [&](std::size_t unit) { return n_left[static_cast<std::size_t>(labels[unit])] == 0; }))
      continue;
    n_members = std::move(n_left);
    for (const std::size_t unit : taken) labels[unit] = *next;
    ++next;
  }
  state.labels = labels_by_unit(units, std::move(labels));
  state.stats = statistics_of(execution, units, problem.components, state.labels, state.k());
}

}  // namespace coppice
