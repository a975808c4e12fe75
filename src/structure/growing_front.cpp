// SPDX-License-Identifier: BSD-3-Clause
// [V] section 7 opens one level of nodes below every candidate; here nodes open where that lowers the free energy, the
// most first, until what is left to be gained is within the budget in nats. Opening never raises F at fixed parameters
// (math in infer/opening_gains.hpp), and the number of units is limited as well, so that it ends.

#include "coppice/structure/growing_front.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "coppice/infer/opening_gains.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t first_depth = 4;  // [V] section 7
// Nodes that are larger hold rows of several clusters more often than not, and what is built on them is given up later.
constexpr std::size_t most_rows_at_first = 512;
// Of what opening may gain, this share of the budget is left for nodes that come of it.
constexpr double share_left = 0.5;
// Times the budget: what a sample sees while there are few components is gained by more of them, too.
constexpr double far_from_budget = 100.0;

std::size_t depth_at_first(std::size_t n_rows) {
  return std::max<std::size_t>(first_depth, std::bit_width(n_rows / most_rows_at_first));
}

}  // namespace

GrowingFront::GrowingFront(const TreeUnits& tree, const FrontBudget& budget)
    : budget_(budget),
      of_{tree, std::make_shared<const Front>(Front::at_depth(tree.tree, depth_at_first(tree.tree.n_rows())))},
      units_(of_) {}

bool GrowingFront::open_most(std::span<const double> gains, double total_weight) {
  double left = std::accumulate(gains.begin(), gains.end(), 0.0);
  const double enough = budget_.nats * total_weight;
  if (left <= enough) return false;
  std::vector<std::size_t> order(gains.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t unit) { return gains[unit]; });
  std::size_t n = 0;
  // Rounding may make a gain negative: such nodes stay.
  while (n < order.size() && gains[order[n]] > 0.0 && left > share_left * enough) left -= gains[order[n++]];
  return open(std::span(order).first(n));
}

bool GrowingFront::open_for_gain(const Execution& execution, const Problem& problem, const StatsArena& mixture) {
  return open_most(opening_gains(execution, problem, mixture), problem.total_weight);
}

bool GrowingFront::open_by_sample(const Execution& execution, const Problem& problem, const StatsArena& mixture) {
  return open_most(NodeLogSums(execution, problem, mixture).sampled_gains(front().nodes()),
                   far_from_budget * problem.total_weight);
}

Opening GrowingFront::open_to_budget(const Execution& execution, const Problem& problem, const StatsArena& mixture) {
  const KdTree& tree = of_.of.tree;
  const NodeLogSums sums(execution, problem, mixture);
  std::vector<std::uint32_t> leaves;
  for (const std::size_t leaf : tree.leaves()) leaves.push_back(static_cast<std::uint32_t>(leaf));
  // Sums over leaves from left to right: the rows of any node are a difference of two of them.
  std::vector<double> up_to{0.0};  // the leaf, from the left
  for (const double of_leaf : sums.by_row(leaves)) up_to.push_back(up_to.back() + of_leaf);
  const auto leaf_at = [&](std::size_t place) {  // behind the last row: one more than there are
    const auto found = std::ranges::lower_bound(leaves, place, {}, [&](auto leaf) { return tree.node(leaf).first; });
    return static_cast<std::size_t>(found - leaves.begin());
  };
  for (bool has_opened = false;; has_opened = true) {
    const std::span<const std::uint32_t> nodes = front().nodes();
    std::vector<double> gains = sums.tied(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const KdTree::Node rows = tree.node(nodes[i]);
      gains[i] = up_to[leaf_at(rows.last)] - up_to[leaf_at(rows.first)] - gains[i];
    }
    const double left = std::accumulate(gains.begin(), gains.end(), 0.0);
    if (!open_most(gains, problem.total_weight)) return {has_opened, std::max(0.0, left)};
  }
}

bool GrowingFront::open_for_trials(std::span<const std::int32_t> labels, std::span<const std::size_t> components,
                                   const TrialUnits& least) {
  struct Extent {
    std::size_t units = 0;
    std::size_t rows = 0;
  };
  std::vector<Extent> extents;
  for (std::size_t unit = 0; unit < labels.size(); ++unit) {
    const auto label = static_cast<std::size_t>(labels[unit]);
    extents.resize(std::max(extents.size(), label + 1));
    ++extents[label].units;
    extents[label].rows += unit < front().nodes().size() ? of_.of.tree.n_rows(front().nodes()[unit]) : 1;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t unit = 0; unit < front().nodes().size(); ++unit) {
    const auto label = static_cast<std::size_t>(labels[unit]);
    const bool is_candidate = std::ranges::find(components, label) != components.end();
    const bool is_leaf = of_.of.tree.is_leaf(front().nodes()[unit]);
    const Extent& extent = extents[label];
    const bool wants_more = extent.units < (is_leaf ? least.leaves : least.units);
    if (is_candidate && (wants_more || extent.rows <= least.rows)) chosen.push_back(unit);
  }
  return open(chosen);
}

std::size_t GrowingFront::units_inside(std::size_t unit) const {
  const KdTree& tree = of_.of.tree;
  const std::uint32_t node = front().nodes()[unit];
  return tree.is_leaf(node) ? tree.n_rows(node) : 2;
}

bool GrowingFront::open(std::span<const std::size_t> units) {
  std::vector<std::size_t> chosen;
  std::size_t size = front().size();
  for (const std::size_t unit : units) {
    const std::size_t more = units_inside(unit) - 1;
    // A node that is too large for what is left is passed over; smaller ones may still fit.
    if (more > budget_.units - std::min(budget_.units, size)) continue;
    size += more;
    chosen.push_back(unit);
  }
  if (chosen.empty()) return false;
  of_.front = std::make_shared<const Front>(front().opened(chosen));
  return true;
}

}  // namespace coppice::internal
