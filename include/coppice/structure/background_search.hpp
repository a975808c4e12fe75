// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A mixture beside a uniform background. Rows are clustered as ever; then clusters and single
// rows go to the background where it explains them better (background_moves.hpp), the other rows are clustered again
// from where they are, and so on until nothing changes. At last they are searched afresh, since clusters that no longer
// carry outliers may be others. Every step lowers the objective of all rows, or is not taken.
//
// Large tables: all of that happens in the rows that structure is searched in; then sweeps label all rows.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coppice/infer/background_moves.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/mixture_search.hpp"

namespace coppice::internal {

class BackgroundSearch {
 public:
  BackgroundSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal);

  // Ends early if stopped: in Stopped only if there is no clustering of all rows, and no time to make one of what was
  // found in some.
  void run();
  // After run(): clusters by size, statistics and objective from the labels in row order (as far as there is time), and
  // the prior over partitions beside the background.
  [[nodiscard]] BackgroundState finish();
  [[nodiscard]] const Components& components() const noexcept { return *best_->components; }
  [[nodiscard]] std::unique_ptr<PartitionPrior> partition_beside(const BackgroundState& state) const;
  [[nodiscard]] StopReason reason() const noexcept { return reason_; }
  // Whether K is not that of hard labels, but of rows that clusters share.
  [[nodiscard]] bool has_soft_k() const noexcept { return has_soft_k_; }
  [[nodiscard]] const std::vector<FamilyResult>& families() const noexcept { return families_; }
  [[nodiscard]] const AssignReport& assign() const noexcept { return assign_; }
  [[nodiscard]] double prepare_seconds() const noexcept { return prepare_seconds_; }
  [[nodiscard]] SearchWeights search_weights() const noexcept { return search_weights_; }
  [[nodiscard]] double searched_weight() const { return total_weight(ground_.data()); }

 private:
  BackgroundSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal, SearchedRows searched);

  // Clusters, their background, and the prior under which they were found.
  struct Found {
    const AdjustablePrior* prior = nullptr;
    std::vector<double> values;
    std::shared_ptr<const Components> components;
    BackgroundState state;
  };
  // A search, with the plan for the rows that it is a search of.
  struct Search {
    std::unique_ptr<MixturePlan> plan;
    std::unique_ptr<MixtureSearch> search;
  };

  [[nodiscard]] BackgroundProblem problem(const Rows& rows, const Components& components) const;
  [[nodiscard]] std::vector<std::size_t> inside(const BackgroundState& state) const;
  [[nodiscard]] Rows rows_inside(const BackgroundState& state, const Rows& among) const;
  void search_first();
  void keep_clusters(const Execution& execution);
  [[nodiscard]] bool may_share_rows() const;
  void share_rows();
  void alternate();
  // Moves between clusters and background, then the rows inside once more; false if that did not help.
  bool move(bool dissolves);
  bool search_afresh();
  void search(const Rows& rows, const BackgroundState& beside);
  [[nodiscard]] Found clustered_again(const Found& found);
  // Takes what was found if it is better.
  bool offer(Found found);
  void spread_over_all_rows(const Execution& execution);
  void sweep_all_rows(const Execution& execution);
  void fit_prior_to_all_rows(const Execution& execution);
  void keep_min_size(const Execution& execution);
  void settle_all_rows();
  [[nodiscard]] BackgroundState recomputed(const Execution& execution, BackgroundState state) const;

  const MixturePlan& plan_;
  const Rows& rows_;
  LocalExecution& local_;
  Journal& journal_;
  Stopwatch watch_;
  double log_volume_;
  Rows ground_;  // the rows that structure is searched in
  SearchWeights search_weights_;
  bool is_ground_all_;     // all rows, as they are
  MixtureSpec on_ground_;  // what is sought there
  std::unique_ptr<PartitionPrior> clusters_;
  std::vector<Search> searches_;
  std::optional<Found> without_background_;  // of ground_
  std::optional<Found> best_;                // of ground_, and in the end of all rows
  std::vector<FamilyResult> families_;
  AssignReport assign_;
  double prepare_seconds_ = 0.0;
  bool has_soft_k_ = false;
  StopReason reason_ = StopReason::converged;
};

}  // namespace coppice::internal
