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
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coppice/assign/assigner.hpp"
#include "coppice/family/components.hpp"
#include "coppice/infer/journal.hpp"
#include "coppice/infer/state.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

// What is clustered, and under which model.
struct Problem {
  const Units& units;
  const Components& components;  // the family with its prior; its clusters are not used
  const PartitionPrior& partition;
  double total_weight = 0.0;

  [[nodiscard]] double objective(const Execution& execution, const StatsArena& stats) const;
  [[nodiscard]] double objective(const StatsArena& stats) const;  // on this thread, to the end
  [[nodiscard]] std::vector<double> offsets(const StatsArena& stats) const;
  // The same if these are some of the clusters, and the others have the sizes given.
  [[nodiscard]] std::vector<double> offsets(const StatsArena& stats, std::span<const double> others) const;
};

// What happens to clusters that a sweep empties: they vanish, which lowers F, or they keep their units, for a fixed K.
// Or they start anew at the units that fit worst (fill_empty_clusters), for a fixed K from given centres. Or they stay,
// empty, where parameters have a density: those of an empty cluster are a part of the objective, too.
enum class Deaths : std::uint8_t { allowed, undone, reseeded, kept };

// Clusters between which single moves found nothing to move (single_moves.hpp), as long as they stay what they are.
struct RestingClusters {
  StatsArena clusters;
  Deaths deaths = Deaths::allowed;
  double min_size = 0.0;
};

class MaximizationExpectation {
 public:
  // Keep the journal, and the assigner of the problem's units, while this is in use.
  MaximizationExpectation(const Execution& execution, const Problem& problem, Journal& journal, Assigner& assigner);
  // Units that need no assigner of their own making.
  MaximizationExpectation(const Execution& execution, const Problem& problem, Journal& journal);

  // States to start from: one cluster, or given labels, one per row (any integers; empty clusters vanish).
  [[nodiscard]] State single_cluster() const;
  [[nodiscard]] State from_labels(std::span<const std::int32_t> labels) const;

  // The units where given clusters would have them: the first sweep of a search. What became of them is reported as
  // "start", with the summed costs of the units at these clusters.
  [[nodiscard]] State from_clusters(const StatsArena& clusters, Deaths deaths);

  // From here on another problem: another family or prior, or other units. States go on only if units and statistics
  // are the same; their objectives are another's.
  void use(const Problem& problem);
  void use(const Problem& problem, Assigner& assigner);
  // Sweeps until no label changes. The state is whole after every sweep, also when Stopped is thrown.
  void converge(State& state, Deaths deaths = Deaths::allowed);
  // One sweep; false if nothing changed.
  bool sweep(State& state, Deaths deaths = Deaths::allowed);

  [[nodiscard]] const Execution& execution() const noexcept { return execution_; }
  [[nodiscard]] const Problem& problem() const noexcept { return *problem_; }
  [[nodiscard]] Journal& journal() const noexcept { return journal_; }
  [[nodiscard]] const Assigner& assigner() const noexcept { return *assigner_; }
  // Those of the last sweep.
  [[nodiscard]] const Components& clusters() const noexcept { return *clusters_; }
  // Of this problem.
  [[nodiscard]] RestingClusters& resting() noexcept { return resting_; }

 private:
  [[nodiscard]] State from(Labels labels, std::size_t k) const;
  // Labels and statistics after one assignment; clusters may be empty, and the objective is not set.
  [[nodiscard]] State relabelled(const State& state);
  [[nodiscard]] Assignment assign_units(const StatsArena& clusters, const Labels& present);
  [[nodiscard]] bool have_same_labels(const State& a, const State& b) const;
  void treat_deaths(const State& before, State& after, Deaths deaths) const;
  // Lets the chosen clusters keep the units they had; the other moves still lower F.
  void revive(const State& before, State& after, const std::vector<bool>& is_chosen) const;
  // Under the Dirichlet process a death itself can raise F (docs/errata.md, 8).
  void revive_dead(const State& before, State& after) const;
  // The sweep once more, but clusters that it makes too small for their family keep their units.
  [[nodiscard]] State possible(const State& state, Deaths deaths);
  void check_limits() const;
  // As the problem's, where many clusters are those that it was asked for last.
  [[nodiscard]] double objective(const StatsArena& stats);

  Execution execution_;
  std::optional<Problem> problem_;  // always there; optional because references cannot be set anew
  Journal& journal_;
  std::unique_ptr<Assigner> own_assigner_;  // unless one was given
  Assigner* assigner_;
  std::unique_ptr<Components> clusters_;
  StatsArena evident_;  // clusters whose log evidences are known
  std::vector<double> log_evidences_;
  RestingClusters resting_;
};

// Removes clusters without weight and numbers the others 0, 1, ... in their order. Units of a removed cluster (they
// weigh nothing) get label 0.
void drop_empty_clusters(State& state);

// Changes of an objective smaller than this are rounding. It goes by the weight of the rows: the objective itself has a
// part for the units of the columns, in which nothing is to be gained.
[[nodiscard]] double negligible(double objective, double total_weight);
[[nodiscard]] double negligible(const State& state);

}  // namespace coppice::internal
