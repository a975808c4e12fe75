// SPDX-License-Identifier: BSD-3-Clause
// A start for clusters in hundreds or thousands: cells of at most eight rows, a tree over the cells, and in turn a
// prior fitted to a cut and the best cut under it. Splitting cannot find these: a grid of small clusters is one flat
// body from afar, and no single split pays. Levels of the tree are tried from fine to coarse, each a start of its own,
// since the fit of a prior and the cut it leads to confirm each other in more than one place.

#include "coppice/structure/fine_start.hpp"

#include <algorithm>

#include "coppice/assign/naive.hpp"
#include "coppice/structure/prior_fit.hpp"
#include "structure/cell_tree.hpp"
#include "structure/cells.hpp"
#include "structure/some_of_many.hpp"

namespace coppice::internal {

namespace {

constexpr double rows_per_cell = 8.0;         // at most
constexpr double rows_of_too_many = 40.0;     // per cluster, at least
constexpr double numbers_of_too_many = 2e5;   // in the statistics of all of them, at most
constexpr double most_numbers = 4e6;          // in the statistics of all cells
constexpr std::size_t first_level_share = 2;  // cells are merged to so much less before a prior is fitted
constexpr std::size_t next_level_share = 4;
constexpr std::size_t most_fits = 4;  // from every level

CellOptions cell_options(const FineGround& ground, const Components& components) {
  // 4e6 doubles are 32 MB.
  const double most_cells = most_numbers / static_cast<double>(components.stats_size());
  CellOptions options{.most_weight = std::max(rows_per_cell, 2.0 * ground.total_weight / most_cells)};
  options.variance = ground.variance;
  if (!ground.variance.empty()) options.space = CellSpace::unit_deviations;
  if (components.compares_shares()) options.space = CellSpace::roots_of_shares;
  return options;
}

class FineSearch {
 public:
  FineSearch(const Execution& execution, const FineGround& ground)
      : execution_(execution),
        ground_(ground),
        first_(ground.prior.at(ground.prior.starts().front())),
        cells_(cut_into_cells(execution, ground.units.rows(), cell_options(ground, *first_))),
        n_cells_(cells_.centres.size()),
        tree_(execution, cells_.centres, *first_,
              statistics_of_list(execution, Subset(ground.units), *first_, cells_.of_row, n_cells_)) {}

  [[nodiscard]] FineStart run() && {
    if (ground_.k) {
      const CellTree::Cut level = tree_.at_level(std::clamp<std::size_t>(*ground_.k, 1, n_cells_));
      take(level, fitted_to(level, ground_.prior.starts().front()));
    } else {
      for (std::size_t k = n_cells_ / first_level_share; k > 1; k /= next_level_share) improve(tree_.at_level(k));
    }
    // Two cells at most: the root, all rows in one cluster.
    if (best_.k == 0) take({static_cast<std::uint32_t>(2 * n_cells_ - 2)}, ground_.prior.starts().front());
    best_.labels = of_rows(cut_);
    if (ground_.variance.empty()) best_.too_many = of_rows(tree_.at_level(n_too_many()));
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> of_rows(const CellTree::Cut& cut) const {
    const std::vector<std::int32_t> of_cells = tree_.labels(cut);
    std::vector<std::int32_t> labels;
    labels.reserve(cells_.of_row.size());
    for (const std::int32_t cell : cells_.of_row) labels.push_back(of_cells[static_cast<std::size_t>(cell)]);
    return labels;
  }

  [[nodiscard]] std::size_t n_too_many() const {
    const double n = std::min(ground_.total_weight / rows_of_too_many,
                              numbers_of_too_many / static_cast<double>(first_->stats_size()));
    return std::clamp<std::size_t>(static_cast<std::size_t>(n), 1, n_cells_);
  }

  // A prior fitted to the clusters, and the best cut under this prior, in turn.
  void improve(CellTree::Cut cut) {
    std::vector<double> values = ground_.prior.starts().front();
    for (std::size_t i = 0; i < most_fits; ++i) {
      values = fitted_to(cut, std::move(values));
      const std::unique_ptr<Components> family = ground_.prior.at(values);
      CellTree::Cut next = tree_.best_cut(execution_, problem(*family), cut.size());
      if (!take(next, values)) return;
      cut = std::move(next);
    }
  }

  [[nodiscard]] std::vector<double> fitted_to(const CellTree::Cut& cut, std::vector<double> values) const {
    return fit_prior(execution_, ground_.prior, std::move(values), some_of_many(tree_.clusters(cut))).values;
  }

  // False if it is not the best so far.
  bool take(const CellTree::Cut& cut, const std::vector<double>& values) {
    const std::unique_ptr<Components> family = ground_.prior.at(values);
    const double objective = problem(*family).objective(execution_, tree_.clusters(cut));
    if (best_.k > 0 && !(objective < best_.objective)) return false;
    best_ = {{}, cut.size(), objective, values, {}};
    cut_ = cut;
    return true;
  }

  [[nodiscard]] Problem problem(const Components& family) const {
    return {ground_.units, family, ground_.partition, ground_.total_weight};
  }

  const Execution& execution_;
  const FineGround& ground_;
  std::unique_ptr<Components> first_;
  Cells cells_;
  std::size_t n_cells_;
  CellTree tree_;
  CellTree::Cut cut_;
  FineStart best_;
};

}  // namespace

FineStart fine_start(const Execution& execution, const FineGround& ground) {
  return FineSearch(execution, ground).run();
}

}  // namespace coppice::internal
