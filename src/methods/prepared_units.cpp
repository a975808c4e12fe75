// SPDX-License-Identifier: BSD-3-Clause
#include "methods/prepared_units.hpp"

#include <fmt/format.h>

#include "coppice/data/row_draw.hpp"
#include "coppice/tree/node_statistics.hpp"

namespace coppice {

namespace {

constexpr std::size_t least_tree_rows = 4096;  // fewer are clustered before a tree has paid for itself
constexpr std::size_t sample_size = 10000;

}  // namespace

PreparedUnits::PreparedUnits(const Execution& execution, const Rows& rows, std::size_t stats_size, std::string assign)
    : rows_(rows), assign_(std::move(assign)) {
  const bool is_worth_it = rows.size() >= least_tree_rows && rows.size() <= most_tree_rows;
  if (assign_ == "naive" || (assign_ == "auto" && !is_worth_it)) return;
  try {
    tree_.emplace(execution, rows_, leaf_capacity(stats_size, rows_.data()));
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
    sample_ = content_sample(execution, units_->rows().data(), sample_size);
  } catch (const Stopped&) {
    was_stopped_ = true;
    units_.emplace(rows_);
    sample_.clear();
  }
}

AssignReport PreparedUnits::report(const SweepChoice& sweeps) const {
  if (assign_ == "naive") return {"naive", "asked for: every row against every cluster"};
  if (!units_->are_in_tree()) {
    return {"naive", was_stopped_ ? std::string("the fit was stopped before a tree was built")
                     : rows_.size() > most_tree_rows
                         ? fmt::format("{} rows are more than a tree takes", rows_.size())
                         : fmt::format("{} rows; a tree pays from {} on", rows_.size(), least_tree_rows)};
  }
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
