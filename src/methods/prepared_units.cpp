// SPDX-License-Identifier: BSD-3-Clause
#include "methods/prepared_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/tree/node_statistics.hpp"

namespace coppice {

namespace {

constexpr std::size_t least_tree_rows = 4096;  // fewer are clustered before a tree has paid for itself
constexpr double least_cuts = 2.0;             // per column: with fewer, boxes are about as wide as clusters
constexpr std::size_t sample_size = 10000;

}  // namespace

PreparedUnits::PreparedUnits(const Execution& execution, const Rows& rows, std::size_t stats_size, std::string assign)
    : rows_(rows), assign_(std::move(assign)) {
  const std::size_t capacity = leaf_capacity(stats_size, rows_.data());
  cuts_per_column_ = std::log2(static_cast<double>(rows.size()) / static_cast<double>(capacity)) /
                     static_cast<double>(rows.n_columns());
  const bool is_worth_it =
      rows.size() >= least_tree_rows && rows.size() <= most_tree_rows && cuts_per_column_ >= least_cuts;
  if (assign_ == "naive" || assign_ == one_by_one || rows.data().is_sparse() || (assign_ == "auto" && !is_worth_it))
    return;
  try {
    tree_.emplace(execution, rows_, capacity);
  } catch (const Stopped&) {
    was_stopped_ = true;
  }
}

void PreparedUnits::add_statistics(const Execution& execution, const Components& components) {
  try {
    if (tree_) {
      stats_ = node_statistics(execution, *tree_, components);
      tree_units_.emplace(TreeUnits{*tree_, stats_});
      units_.emplace(*tree_units_);
    } else {
      units_.emplace(rows_);
    }
  } catch (const Stopped&) {
    was_stopped_ = true;
    units_.emplace(rows_);
  }
}

void PreparedUnits::draw_sample(const Execution& execution) {
  if (was_stopped_) return;
  try {
    sample_ = content_sample(execution, units_->rows().data(), sample_size);
  } catch (const Stopped&) {
    was_stopped_ = true;
  }
}

std::string PreparedUnits::why_no_tree() const {
  if (was_stopped_) return "the fit was stopped before a tree was built";
  if (rows_.data().is_sparse()) return "the rows are sparse, and a tree takes dense ones";
  if (rows_.size() > most_tree_rows) return fmt::format("{} rows are more than a tree takes", rows_.size());
  if (rows_.size() < least_tree_rows)
    return fmt::format("{}; a tree pays from {} on", counted(rows_.size(), "row"), least_tree_rows);
  return fmt::format("{} in {}: a tree would be cut {:.1f} times per column, and pays from {:g} on",
                     counted(rows_.size(), "row"), counted(rows_.n_columns(), "column"),
                     std::max(0.0, cuts_per_column_), least_cuts);
}

AssignReport PreparedUnits::report(const SweepChoice& sweeps) const {
  if (assign_ == "naive") return {"naive", "asked for: every row against every cluster"};
  if (assign_ == one_by_one) return {"naive", "these clusters weigh every row by itself, so that a tree is of no use"};
  if (!units_->are_in_tree()) return {"naive", why_no_tree()};
  const std::string counts = fmt::format(
      "sweeps took {} comparisons with a cluster, {} for every row against every cluster ({:.3g} times as many)",
      sweeps.distances(), sweeps.full_distances(),
      static_cast<double>(sweeps.full_distances()) /
          static_cast<double>(std::max<std::uint64_t>(1, sweeps.distances())));
  if (sweeps.n_row_by_row() > sweeps.n_down()) {
    return {"naive", fmt::format("too many nodes had to be opened, so {} of {} sweeps went row by row; {}",
                                 sweeps.n_row_by_row(), sweeps.n_row_by_row() + sweeps.n_down(), counts)};
  }
  return {"kdtree", assign_ == "kdtree" ? "asked for: " + counts : counts};
}

}  // namespace coppice
