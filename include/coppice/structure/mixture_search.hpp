// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The searches behind one plan (mixture_plan.hpp). Where the prior is fitted, families first compete for the structure:
// in all rows, or in a sample if there are many (which rows these are depends on the table and the options alone). What
// they find is then confirmed and improved over all rows.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coppice/partition/background.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/family_contest.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "coppice/structure/searched_rows.hpp"
#include "coppice/structure/soft_search.hpp"

namespace coppice::internal {

// How one family of the plan is searched.
[[nodiscard]] AutoSearchOptions search_options(const MixtureSpec& spec, std::uint64_t restart);

// What the search of some rows has taken so far.
struct SearchPace {
  double seconds = 0.0;
  std::uint64_t n_comparisons = 0;  // of rows with clusters
};
// Whether the time that is left is only just enough for so many more comparisons, as all rows need that are given to
// the clusters found in some. A search does more than compare, so that its pace is slower than theirs will be. No more
// is kept back than the search has had.
[[nodiscard]] bool is_time_to_finish(double seconds_left, const SearchPace& so_far, double n_comparisons);

class MixtureSearch {
 public:
  // Beside a background: its rows are not among these (background_search.hpp), so that clusterings are no results, and
  // the plan's weights are those that structure is searched with.
  MixtureSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                const std::optional<Background>& beside = {});

  // Ends early if stopped: in Stopped only if there is no clustering of all rows, and no time to make one of what was
  // found in some.
  void run();

  // After run(): the clusters of all rows and what is known of them.
  [[nodiscard]] const Found& found() const noexcept { return best_->found; }
  [[nodiscard]] const AdjustablePrior& prior() const;  // the one they were found under
  [[nodiscard]] const State& state() const noexcept { return best_->found.state; }
  [[nodiscard]] Problem problem() const { return {units_, *best_->found.components, *partition_, plan_.total_weight}; }
  [[nodiscard]] StopReason reason() const noexcept { return reason_; }
  [[nodiscard]] const std::vector<FamilyResult>& families() const noexcept { return families_; }
  [[nodiscard]] bool is_at_min_size() const noexcept { return best_->is_at_limit; }
  [[nodiscard]] const AssignReport& assign() const noexcept { return best_->assign; }
  [[nodiscard]] double prepare_seconds() const noexcept { return prepare_seconds_; }
  [[nodiscard]] SearchWeights search_weights() const noexcept { return search_weights_; }
  [[nodiscard]] double searched_weight() const noexcept { return searched_weight_; }

 private:
  MixtureSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                const std::optional<Background>& beside, SearchedRows searched);

  struct Result {
    Found found;
    AssignReport assign;
    bool is_at_limit = false;  // no cluster may be lighter, or else some would be
  };

  void search_once(std::uint64_t restart);
  void find_structure(std::uint64_t restart);
  void look_from_far_above();
  [[nodiscard]] std::shared_ptr<const FineStart> fine_start_here() const;
  // From here on structure is searched in these.
  void search_in(SearchedRows searched);
  // Clusters with heavy tails, from those of every family that some grow from; they take their place in the ranking.
  void try_heavy_tails(const FamilyContest& contest, const SearchGround& ground, const AutoSearchOptions& options);
  void rank_softly(const SearchGround& ground, const AutoSearchOptions& options);
  [[nodiscard]] double least_bound(const State& state) const;
  void search_family_softly(RankedFamily& rank, const SearchGround& ground, AutoSearchOptions options);
  [[nodiscard]] SoftWatch watch_softly(Found& found);
  void share_all_rows(const Found& structure);
  // Whether the limit of sizes has a say in what comes out.
  bool settle_softly(const Problem& problem, Found& found);
  [[nodiscard]] bool can_do_without_lightest(VariationalBayes& vb, State& state) const;
  void evaluate_softly(Found& found);
  // From the structure that was found, or, if there is none, from scratch.
  void search_all_rows(const AdjustablePrior& prior, std::uint64_t restart, const Found* structure);
  [[nodiscard]] std::vector<const RankedFamily*> finalists() const;
  [[nodiscard]] bool is_final(const Found& found) const;
  [[nodiscard]] bool is_better(const Found& a, const Found& b) const;
  void start(AutoSearch& search, const Found* structure) const;
  void take_what_there_is();

  void set_over_all_rows(bool is_over);
  // While some rows are searched: whether there is only just time to give all rows to the clusters.
  [[nodiscard]] bool is_short_of_time(std::size_t k) const;

  const MixturePlan& plan_;
  LocalExecution& local_;
  Journal& journal_;
  std::uint64_t distances_before_;  // the search
  bool is_whole_fit_;               // no background stands beside
  bool is_over_all_rows_ = false;   // what is searched now
  Stopwatch watch_;
  double prepare_seconds_ = 0.0;
  std::unique_ptr<PartitionPrior> partition_;
  Units units_;    // all rows
  Rows searched_;  // those that structure is searched in
  double searched_weight_ = 0.0;
  SearchWeights search_weights_ = SearchWeights::as_given;
  bool are_same_rows_ = true;  // as all rows
  bool is_sampled_ = false;    // some contents are left out, or weigh less
  bool is_soft_ = false;       // families and numbers of clusters compare by the soft bound
  Units searched_units_;
  std::vector<double> searched_variance_;  // of dense rows' columns
  std::shared_ptr<const FineStart> fine_;  // in the searched rows
  std::unique_ptr<Components> first_;      // what the engine begins with
  std::unique_ptr<Assigner> search_assigner_;
  MaximizationExpectation me_;
  std::vector<RankedFamily> structures_;  // the best first
  std::vector<FamilyResult> families_;
  std::optional<Result> best_;
  StopReason reason_ = StopReason::converged;
};

}  // namespace coppice::internal
