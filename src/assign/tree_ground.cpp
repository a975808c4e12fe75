// SPDX-License-Identifier: BSD-3-Clause
// Whether a tree pays hangs on how often it is cut per column: a node is given away only if its box is narrow against
// the clusters in all columns at once. With log2(N / leaf) cuts for D columns, that takes rows in numbers that grow
// exponentially with D.

#include "assign/tree_ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/runtime/counted.hpp"
#include "coppice/tree/node_statistics.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t least_tree_rows = 4096;  // fewer are clustered before a tree has paid for itself
constexpr double least_cuts = 2.0;             // per column: with fewer, boxes are about as wide as clusters

}  // namespace

TreeGround::TreeGround(const Execution& execution, const Rows& rows, const Components& family)
    : tree_(execution, rows, leaf_capacity(family.stats_size(), rows.data()), family.column_lengths()),
      stats_(node_statistics(execution, tree_, family)),
      units_{tree_, stats_} {}

std::string why_no_tree(const Rows& rows, const Components& family) {
  if (rows.data().is_sparse()) return "the rows are sparse, and a tree takes dense ones";
  if (rows.size() > most_tree_rows) return fmt::format("{} rows are more than a tree takes", rows.size());
  if (rows.size() < least_tree_rows) {
    return fmt::format("{}; a tree pays from {} on", counted(rows.size(), "row"), least_tree_rows);
  }
  const auto capacity = static_cast<double>(leaf_capacity(family.stats_size(), rows.data()));
  const double cuts_per_column =
      std::log2(static_cast<double>(rows.size()) / capacity) / static_cast<double>(rows.n_columns());
  if (cuts_per_column >= least_cuts) return {};
  return fmt::format("{} in {}: a tree would be cut {:.1f} times per column, and pays from {:g} on",
                     counted(rows.size(), "row"), counted(rows.n_columns(), "column"), std::max(0.0, cuts_per_column),
                     least_cuts);
}

}  // namespace coppice::internal
