// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The maximization-expectation algorithm ([L] section 5): labels at their best, parameters integrated out. A sweep sets
// every cluster's posterior from its units and gives every unit its cheapest label; the objective
//
//   F = - sum_c log p(X_c) - log p(labels)
//
// never rises. Empty clusters are removed at once, which lowers F further.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coppice/assign/assign.hpp"
#include "coppice/assign/relabeller.hpp"
#include "coppice/assign/sweep_choice.hpp"
#include "coppice/family/components.hpp"
#include "coppice/infer/state.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/counters.hpp"

namespace coppice {

// What is clustered, and under which model.
struct Problem {
  const Units& units;
  const Components& components;  // the family with its prior; its clusters are not used
  const PartitionPrior& partition;
  double total_weight = 0.0;

  [[nodiscard]] double objective(const Execution& execution, const StatsArena& stats) const;
  [[nodiscard]] double objective(const StatsArena& stats) const;  // on this thread, to the end
  [[nodiscard]] std::vector<double> offsets(const StatsArena& stats, std::size_t k) const;
};

struct MeLimits {
  std::size_t max_iterations = 10000;  // sweeps over all units, per search
  bool keeps_to_nodes = false;         // over a tree: never row by row, even where that is less work
};

// What happens to clusters that a sweep empties: they vanish, which lowers F, or they keep their units, for a fixed K.
// Or they start anew at the units that fit worst (fill_empty_clusters), for a fixed K from given centres.
enum class Deaths : std::uint8_t { allowed, undone, reseeded };

class MaximizationExpectation {
 public:
  // With a relabeller, sweeps are its business.
  MaximizationExpectation(const Execution& execution, const Problem& problem, MeLimits limits, Observer observer,
                          Relabeller* relabeller = nullptr);

  // States to start from: one cluster, or given labels, one per row (any integers; empty clusters vanish).
  [[nodiscard]] State single_cluster() const;
  [[nodiscard]] State from_labels(std::span<const std::int32_t> labels) const;

  // The units where given clusters would have them: the first sweep of a search. What became of them is reported as
  // "start", with the summed costs of the units at these clusters.
  [[nodiscard]] State from_clusters(const StatsArena& clusters, Deaths deaths);

  // From here on another problem: other units, another family or prior. States go on only if units and statistics are
  // the same; their objectives are another's.
  void use(const Problem& problem);
  // Whether objectives from here on are evidence for numbers of clusters: those of a sample, or of rows that weigh less
  // than they should, compare with nothing else.
  void count_as_evidence(bool counts) noexcept { counts_as_evidence_ = counts; }

  // Begins to count sweeps anew against max_iterations.
  void begin_search() noexcept { search_start_ = iteration_; }
  // Sweeps until no label changes. The state is whole after every sweep, also when Stopped is thrown.
  void converge(State& state, Deaths deaths = Deaths::allowed);
  // One sweep; false if nothing changed.
  bool sweep(State& state, Deaths deaths = Deaths::allowed);

  // Notes the state in the trace, in the evidence for K, and shows it to the observer.
  void report(State& state, const char* phase);
  // Notes an objective that was computed without visiting the state, if objectives count.
  void note_evidence(std::size_t k, double objective);

  // Whether sweeps may leave a tree's nodes aside.
  [[nodiscard]] bool keeps_to_nodes() const noexcept { return limits_.keeps_to_nodes; }
  [[nodiscard]] const Execution& execution() const noexcept { return execution_; }
  [[nodiscard]] const Problem& problem() const noexcept { return *problem_; }
  [[nodiscard]] Counters& counters() noexcept { return counters_; }
  [[nodiscard]] std::size_t iterations() const noexcept { return iteration_; }
  [[nodiscard]] const SweepChoice& sweep_choice() const noexcept { return sweep_choice_; }
  [[nodiscard]] const std::vector<Progress>& trace() const noexcept { return trace_; }
  [[nodiscard]] const std::map<std::size_t, double>& k_evidence() const noexcept { return k_evidence_; }

 private:
  [[nodiscard]] State from(Labels labels, std::size_t k) const;
  // Labels and statistics after one assignment; clusters may be empty, and the objective is not set.
  [[nodiscard]] State relabelled(const State& state);
  [[nodiscard]] Assignment assign_units(const StatsArena& clusters, const Labels& present);
  void treat_deaths(const State& before, State& after, Deaths deaths) const;
  // Lets the chosen clusters keep the units they had; the other moves still lower F.
  void revive(const State& before, State& after, const std::vector<bool>& is_chosen) const;
  // Under the Dirichlet process a death itself can raise F (docs/errata.md, 8).
  void revive_dead(const State& before, State& after) const;
  // The sweep once more, but clusters that it makes too small for their family keep their units.
  [[nodiscard]] State possible(const State& state, Deaths deaths);
  void check_limits() const;

  Execution execution_;
  std::optional<Problem> problem_;  // always there; optional because references cannot be set anew
  MeLimits limits_;
  Observer observer_;
  Relabeller* relabeller_;
  std::unique_ptr<Components> clusters_;
  SweepChoice sweep_choice_;
  Stopwatch watch_;
  std::size_t iteration_ = 0;
  std::size_t search_start_ = 0;  // the iteration at which the present search began
  Counters counters_;
  std::vector<Progress> trace_;
  std::map<std::size_t, double> k_evidence_;
  bool counts_as_evidence_ = true;
};

// Removes clusters without weight and numbers the others 0, 1, ... in their order. Units of a removed cluster (they
// weigh nothing) get label 0.
void drop_empty_clusters(State& state);

// Improvements smaller than this are rounding.
[[nodiscard]] double negligible(double objective);

}  // namespace coppice
