// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// k-means as inference sees it, over rows, a tree or summaries, kept alive together.

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "coppice/family/centroid.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {

enum class Kind : std::uint8_t { rows, tree, summaries };  // of single rows

class CentroidProblem {
 public:
  explicit CentroidProblem(const Dataset& data, Kind kind = Kind::rows, std::size_t threads = 1, StopSignal stop = {})
      : local_(threads, std::move(stop)),
        rows_(data, std::vector<double>(data.n_columns(), 0.25)),
        family_(Centroid(data.n_columns())),
        partition_(make_no_partition_prior()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) total_ += rows_.weight(row);
    if (kind == Kind::rows) units_.emplace(rows_);
    if (kind == Kind::tree) {
      tree_.emplace(local_.get(), rows_, 16);
      stats_ = node_statistics(local_.get(), *tree_, family_);
      tree_units_.emplace(TreeUnits{*tree_, stats_});
      units_.emplace(*tree_units_);
    }
    if (kind == Kind::summaries) {
      stats_ = StatsArena(rows_.size(), family_.stats_size());
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        stats_[row][0] = rows_.weight(row);
        rows_.copy_row(row, stats_[row].subspan(1, rows_.n_columns()));
      }
      units_.emplace(stats_);
    }
  }
  CentroidProblem(const CentroidProblem&) = delete;
  CentroidProblem& operator=(const CentroidProblem&) = delete;

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] Problem problem() const { return {*units_, family_, *partition_, total_}; }
  [[nodiscard]] MaximizationExpectation me(JournalOptions options = {}) {
    return {local_.get(), problem(), journals_.emplace_back(std::move(options))};
  }

  // Clusters 0 to k - 1 under labels of the rows; some may be empty.
  [[nodiscard]] State state(const std::vector<std::int32_t>& by_row, std::size_t k) {
    State state;
    state.labels = labels_of(*units_, by_row);
    state.stats = statistics_of(local_.get(), *units_, family_, state.labels, k);
    return state;
  }
  // Single points, in the coordinates of the data.
  [[nodiscard]] StatsArena centres(std::vector<double> values) const {
    for (double& value : values) value -= 0.25;
    return centre_statistics(values, rows_.n_columns());
  }

 private:
  LocalExecution local_;
  Rows rows_;
  FamilyAdapter<Centroid> family_;
  std::unique_ptr<PartitionPrior> partition_;
  double total_ = 0.0;
  std::optional<KdTree> tree_;
  StatsArena stats_;
  std::optional<TreeUnits> tree_units_;
  std::optional<Units> units_;
  std::deque<Journal> journals_;
};

}  // namespace coppice::internal
