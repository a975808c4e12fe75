// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The greedy search of variational Dirichlet processes ([V] section 7). One component explains everything at first; the
// best of some trial cuts of a component (release_trial.hpp) is followed by updates of all components, and stays if the
// free energy F falls by more than epsilon. Mixtures of T components are nested in those of T + 1, so that nothing but
// the search stands in the way of a lower F.
//
// Over a growing front (growing_front.hpp) nodes are opened before a component is cut, and where F falls by it once a
// release looks like staying; mixtures are compared over one front.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "coppice/infer/journal.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/structure/growing_front.hpp"

namespace coppice::internal {

struct ReleaseOptions {
  std::size_t max_components = std::numeric_limits<std::size_t>::max();
  double epsilon = 0.0;        // nats that a release must gain
  bool accepts_any = false;    // until there are as many as may be; from the best of these on, epsilon counts
  bool halts_at_once = false;  // one round of candidates that fails is the last, as printed
  double tolerance = 0.0;      // nats by which updates of all components gain at least, to go on
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  // a number of its own for every search of a fit
};

// A mixture by the statistics that its posteriors follow from, and what one cycle of updates makes of it.
struct Mixture {
  StatsArena stats;
  double bound = 0.0;  // F at these posteriors, shares at their best
  StatsArena next;
  std::vector<double> tail;  // statistics of what no component has yet
  Labels labels;             // ties unsettled; none where nobody looks and they would be found soon
  // By how much F falls if every row has shares of its own, where that is known.
  std::optional<double> gap;
  double last_gain = std::numeric_limits<double>::infinity();  // of the cycle that led here
};

class GreedyRelease {
 public:
  // Keep the problem and the journal meanwhile; and the front, if that is what the problem's units are.
  GreedyRelease(const Execution& execution, const Problem& problem, const ReleaseOptions& options, Journal& journal,
                GrowingFront* front = nullptr);

  // From components of these statistics. Stopped on the way, there is the mixture before, if there was one.
  void run(StatsArena start);
  [[nodiscard]] const Mixture& mixture() const noexcept { return best_ && best_->bound < now_.bound ? *best_ : now_; }

 private:
  [[nodiscard]] Mixture at(StatsArena stats);
  // One cycle of all components, and what it gains. What comes below `reported_` is shown.
  double advance(Mixture& mixture, const char* phase);
  void update(Mixture& mixture, double tolerance);
  // The next cycle over the front as it is now.
  void renew(Mixture& mixture);
  bool open_for_gain(Mixture& mixture);
  bool open_by_sample(Mixture& mixture);
  bool open_to_budget(Mixture& mixture);
  bool open_for_trials(std::span<const std::size_t> candidates, const TrialUnits& least);
  bool release();
  bool release_at_last();
  // Over a front, with at least that in every component that is cut.
  bool release_among(const TrialUnits& least);
  [[nodiscard]] bool follow(const StatsArena& halves, std::size_t component);
  void settle(Mixture& released);
  void catch_up(double released);
  [[nodiscard]] std::vector<std::size_t> draw(const std::vector<bool>& has_failed);
  void drop_idle();
  void show(const Mixture& mixture, const char* phase);
  void take(Mixture mixture);
  void return_to_best();

  Execution execution_;
  Problem problem_;
  ReleaseOptions options_;
  Journal& journal_;
  GrowingFront* front_;
  std::unique_ptr<Components> clusters_;
  Mixture now_;
  std::optional<Mixture> best_;  // if a release has raised F, which it may where any is accepted
  double reported_ = std::numeric_limits<double>::infinity();
  bool is_last_look_ = false;  // nothing of it is shown before it has found something
  std::uint64_t n_draws_ = 0;
  std::size_t n_when_sampled_ = 1;  // components, when a sample of rows had least to gain
};

}  // namespace coppice::internal
