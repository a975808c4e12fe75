// SPDX-License-Identifier: BSD-3-Clause
#include "methods/tied_units.hpp"

#include <fmt/format.h>

#include "coppice/tree/node_statistics.hpp"

namespace coppice {

TiedUnits::TiedUnits(const Execution& execution, const Rows& rows, const Components& family, bool is_tied)
    : rows_(rows) {
  units_.emplace(rows);
  if (!is_tied) return;
  try {
    tree_.emplace(execution, rows, leaf_capacity(family.stats_size(), rows.data()));
    stats_ = node_statistics(execution, *tree_, family);
    tree_units_.emplace(TreeUnits{*tree_, stats_, true});
    units_.emplace(*tree_units_);
  } catch (const Stopped&) {  // the fit that follows is stopped, too
  }
}

AssignReport TiedUnits::report(std::string_view asked) const {
  if (tree_units_) {
    const std::size_t n_leaves = (tree_->n_nodes() + 1) / 2;
    return {"kdtree", fmt::format("asked for: approximate, the {} rows are tied into {} leaves, whose rows share alike",
                                  rows_.size(), n_leaves)};
  }
  if (asked == "kdtree") return {"naive", "the fit was stopped before a tree was built"};
  if (asked == "naive") return {"naive", "asked for: every row against every cluster"};
  return {"naive", "every cluster has a share in every row; --assign kdtree would approximate that"};
}

}  // namespace coppice
