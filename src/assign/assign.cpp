// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/assign.hpp"

#include "assign/data_term.hpp"
#include "assign/divide_list.hpp"
#include "assign/tree_assign.hpp"
#include "coppice/assign/naive.hpp"

namespace coppice {
using namespace internal;

Assignment assign(const Execution& execution, const Subset& subset, const Components& components,
                  std::span<const double> offsets, const Labels& present) {
  // Every way leaves the statistics behind; what the units cost in sum follows from those, so that nobody has to add up
  // costs row by row while labelling.
  Assignment result = subset.units().are_in_tree()
                          ? assign_in_tree(execution, subset, components, offsets, present)
                          : assign_naive(execution, subset, components, offsets, present.list());
  if (subset.is_all() && subset.units().front() != nullptr) {
    result.labels = labels_by_unit(subset.units(), result.labels.by_unit());
  }
  set_data_term(components, offsets, result);
  return result;
}

Assignment assign_row_by_row(const Execution& execution, const Units& units, const Components& components,
                             std::span<const double> offsets, const Labels& present) {
  const KdTree& tree = units.tree().tree;
  // The tree's own copy of the rows, in its order: labels become runs again without being sorted.
  Assignment result = assign_naive(execution, Subset(Units(tree.rows())), components, offsets, present.by_unit());
  result.labels = in_runs(result.labels.list(), tree.shared_order());
  set_data_term(components, offsets, result);
  return result;
}

StatsArena statistics_of(const Execution& execution, const Units& units, const Components& components,
                         const Labels& labels, std::size_t k) {
  if (units.are_in_tree()) return statistics_in_tree(execution, units, components, labels, k);
  return statistics_of_list(execution, Subset(units), components, labels.list(), k);
}

Assignment divide(const Execution& execution, const Subset& subset, const Components& components, const Plane& plane) {
  return subset.units().are_in_tree() ? divide_in_tree(execution, subset, components, plane)
                                      : divide_list(execution, subset, components, plane);
}

Labels labels_by_unit(const Units& units, std::vector<std::int32_t> by_unit) {
  if (units.are_in_tree()) return in_runs(by_unit, units.tree().tree.shared_order());
  return Labels(std::move(by_unit), units.front() != nullptr ? units.front()->front : nullptr);
}

Labels one_label(const Units& units, std::int32_t label) {
  if (!units.are_in_tree()) return labels_by_unit(units, std::vector<std::int32_t>(units.size(), label));
  return Labels({{static_cast<std::uint32_t>(units.size()), label}}, units.tree().tree.shared_order());
}

Labels labels_of(const Units& units, std::span<const std::int32_t> by_row) {
  if (units.front() != nullptr) return labels_by_unit(units, units.front()->front->by_unit(by_row));
  if (!units.are_in_tree()) return Labels(std::vector<std::int32_t>(by_row.begin(), by_row.end()));
  const KdTree& tree = units.tree().tree;
  // Labels of rows come in the table's order, those of units in the tree's.
  std::vector<std::int32_t> in_tree_order;
  in_tree_order.reserve(by_row.size());
  for (const std::uint32_t row : tree.order()) in_tree_order.push_back(by_row[row]);
  return labels_by_unit(units, std::move(in_tree_order));
}

}  // namespace coppice
