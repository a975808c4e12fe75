// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for clusters of one family whose prior is fitted on the way (docs/methods/bkm.md): from several starts,
// splits and merges until nothing helps, then the prior is fitted to what was found, and so on. Every step lowers the
// complete objective -log p(data, labels | prior), so that starts, priors and families compare.

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "coppice/structure/adjustable_prior.hpp"
#include "coppice/structure/fine_start.hpp"
#include "coppice/structure/search.hpp"

namespace coppice::internal {

// Clusters with the prior under which they were found.
struct Found {
  State state;
  std::vector<double> values;                 // of the prior's numbers
  std::unique_ptr<Components> components;     // the family at these values
  StopReason reason = StopReason::converged;  // why the search ended
  std::optional<double> soft_bound = {};      // if families and numbers of clusters compare by it (soft_search.hpp)
  bool has_soft_k = false;                    // its K is another than that of hard labels, which are not there yet

  // In the currency of the fit, over the rows that were searched.
  [[nodiscard]] double worth() const { return soft_bound.value_or(state.objective); }
  [[nodiscard]] Found copy() const { return {state, values, components->clone(), reason, soft_bound, has_soft_k}; }
};

// The best that is known of any start or family.
struct Leader {
  double objective = std::numeric_limits<double>::infinity();
  std::size_t k = 0;

  void hear(const State& state) {
    if (state.objective < objective) *this = {state.objective, state.k()};
  }
};

// What is searched.
struct SearchGround {
  Assigner& assigner;  // of rows
  const PartitionPrior& partition;
  double total_weight = 0.0;
  std::vector<double> variance;                // of the columns; empty: no start from above
  std::shared_ptr<const FineStart> fine = {};  // a start from far above, if there is one

  [[nodiscard]] const Units& units() const noexcept { return assigner.units(); }
  // Few rows per column of a small table: a family or a start that is far behind at first may end in the lead, and to
  // follow all of them takes no time to speak of.
  [[nodiscard]] bool gives_nothing_up() const;
};

enum class PriorFit : std::uint8_t { fitted, as_started };
enum class Moves : std::uint8_t { automatic, paper };

struct AutoSearchOptions {
  SearchLimits limits = {};
  PriorFit prior_fit = PriorFit::fitted;
  Moves moves = Moves::automatic;
  bool has_rivals = false;  // other families compete: what cannot win is not searched to the end
};

class SplitMerge;

class AutoSearch {
 public:
  // The leader is heard of every end of a start, and asked whether a start that trails is worth going on with.
  AutoSearch(MaximizationExpectation& me, SearchGround ground, const AdjustablePrior& prior, AutoSearchOptions options,
             Leader& leader);

  // All starts; or only from given labels, one per row.
  void run();
  // The start from far above alone, as far as sweeps and merges lead: whether it is worth more can then be seen.
  void try_fine_start();
  // Splits and merges from the best so far.
  void climb_on();
  void run_from(std::span<const std::int32_t> labels);
  // Stall moves, and a start with more clusters under the fitted prior.
  void polish();
  // Goes on from clusters that were found in other rows of the same kind; or in the same rows, with their labels.
  void continue_from(const Found& found);
  void continue_from(const Found& found, std::span<const std::int32_t> labels);
  // Sweeps alone, with as many clusters as there are. `has_labels`: they have these rows already.
  void settle_from(const Found& found, bool has_labels);

  // The best so far, also after a stop.
  [[nodiscard]] const std::optional<Found>& best() const noexcept { return best_; }

 private:
  using Start = std::function<State()>;
  void take_prior(std::vector<double> values);
  enum class Climb : std::uint8_t { whole, brief };
  void climb_from(std::vector<double> values, const Start& start, bool fits_first = false, Climb how = Climb::whole);
  void climb(State& state);
  void climb_briefly(State& state);
  bool move(SplitMerge& moves, State& state);
  double refit(State& state);
  void climb_from_above();
  [[nodiscard]] bool is_behind_by(double nats_per_row) const;
  [[nodiscard]] bool has_arrived(const State& state) const;
  bool goes_on(double before, const State& state) const;
  [[nodiscard]] bool is_far_behind(double before, const State& state) const;
  void offer(State state, StopReason reason);
  [[nodiscard]] Problem problem() const;
  [[nodiscard]] std::size_t most_clusters() const;
  [[nodiscard]] State from_above(std::size_t k);
  [[nodiscard]] State with_labels(const State& state) const;
  [[nodiscard]] State from_too_many();

  MaximizationExpectation& me_;
  SearchGround ground_;
  const AdjustablePrior& prior_;
  AutoSearchOptions options_;
  Leader& leader_;
  std::vector<double> values_;              // the prior of the present start
  std::unique_ptr<Components> components_;  // at these values
  std::optional<Found> best_;
  std::uint64_t n_starts_ = 0;
};

}  // namespace coppice::internal
