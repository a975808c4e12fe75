// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The trees of agglomerative Bayesian clustering behind one plan (mixture_plan.hpp). Where the prior is fitted, a tree
// is grown, the prior is fitted to the clusters at one of its levels, and so on as long as that lowers the objective
// there; families compete by that of their best level. Of many rows a sample is used for all that, and one last tree
// has all rows.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coppice/infer/journal.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/agglomerate.hpp"
#include "coppice/structure/family_result.hpp"
#include "coppice/structure/hierarchy.hpp"
#include "coppice/structure/mixture_plan.hpp"

namespace coppice::internal {

// Where a tree is cut: into so many clusters, at its least objective, or before the first merge that does not lower it.
struct CutRule {
  std::optional<std::size_t> k = {};
  bool is_at_least = true;
};

// The level at which a tree is cut; at most `most` clusters unless the rule says how many. Of a tree that was stopped:
// the best so far, nothing if there is none.
[[nodiscard]] std::optional<std::size_t> chosen_k(const CutRule& rule, const Agglomeration& grown, std::size_t most);

// The statistics of clusters, labels 0 .. k - 1, out of those of their leaves.
[[nodiscard]] StatsArena level_statistics(const Components& components, const StatsArena& leaves,
                                          const std::vector<std::int32_t>& labels, std::size_t k);

// A tree under one prior, and its chosen level.
struct FittedTree {
  const AdjustablePrior* prior = nullptr;
  std::vector<double> values;  // of the prior's numbers
  std::unique_ptr<Components> components;
  Agglomeration grown;
  std::size_t k = 0;
  double objective = 0.0;
};

class TreeSearch {
 public:
  // All rows of the plan weigh something. How pairs are kept and how far is looked ahead is in the options.
  TreeSearch(const MixturePlan& plan, const CutRule& cut, AgglomerationOptions options, LocalExecution& local,
             Journal& journal);

  // Ends early if stopped: in Stopped only if there is no clustering yet.
  void run();

  // After run().
  [[nodiscard]] const Components& components() const noexcept { return *components_; }
  [[nodiscard]] const PartitionPrior& partition() const noexcept { return *plan_.partition; }
  // The labels of the rows, 0 .. k - 1.
  [[nodiscard]] const std::vector<std::int32_t>& labels() const noexcept { return labels_; }
  [[nodiscard]] std::size_t k() const noexcept { return k_; }
  [[nodiscard]] const std::optional<Hierarchy>& hierarchy() const noexcept { return hierarchy_; }  // unless stopped
  [[nodiscard]] StopReason reason() const noexcept { return reason_; }
  [[nodiscard]] const std::vector<FamilyResult>& families() const noexcept { return families_; }
  [[nodiscard]] double prepare_seconds() const noexcept { return prepare_seconds_; }

 private:
  // A tree, and the prior fitted to its clusters.
  struct Candidate {
    FittedTree tree;
    std::vector<double> fitted_values;
    double objective = 0.0;         // of the level that the prior is fitted to
    double fitted_objective = 0.0;  // the same, once it is fitted
  };

  [[nodiscard]] FittedTree grow(const AdjustablePrior& prior, std::vector<double> values, const Rows& rows);
  [[nodiscard]] Candidate grow_and_fit(const AdjustablePrior& prior, const std::vector<double>& start,
                                       const Rows& rows);
  [[nodiscard]] std::size_t level_to_fit(const FittedTree& tree) const;
  void refine(Candidate& family, const Rows& rows);
  [[nodiscard]] FittedTree best_of_families();
  void report(const Agglomeration& so_far, const Components& components, const StatsArena& leaves);
  void keep(const FittedTree& tree);
  [[nodiscard]] bool is_better_than_one(const FittedTree& tree) const;
  void take(FittedTree tree);
  void take_single_cluster();

  const MixturePlan& plan_;
  const Rows& rows_;
  CutRule cut_;
  AgglomerationOptions options_;
  LocalExecution& local_;
  Journal& journal_;
  Stopwatch watch_;
  double prepare_seconds_ = 0.0;
  bool are_few_ = false;              // rows for their columns
  std::optional<Rows> sample_;        // where priors are fitted; none: all rows
  std::optional<FittedTree> fitted_;  // in the sample
  std::optional<FittedTree> so_far_;  // of all rows
  std::unique_ptr<Components> components_;
  std::vector<std::int32_t> labels_;
  std::size_t k_ = 0;
  std::optional<Hierarchy> hierarchy_;
  std::vector<FamilyResult> families_;
  StopReason reason_ = StopReason::converged;
};

}  // namespace coppice::internal
