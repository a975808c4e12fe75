// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Expectation-maximization for mixtures: every cluster has a share in every unit, and the parameters are those of
// greatest likelihood. The objective is minus the log-likelihood,
//
//   F = - sum_n w_n log sum_c exp(-cost_c(x_n) - offset_c),
//
// which never rises if the family's posterior() maximizes the likelihood. Where the units are summaries or the tied
// leaves of a tree, the rows behind a unit share alike, by their mean cost (multiresolution EM, docs/references.md); F
// is then an upper bound of minus the log-likelihood, and it is the bound that never rises.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

struct EmOptions {
  double tolerance = 1e-6;     // ends when F per weight falls by no more than this
  bool pools_scatter = false;  // one covariance for all clusters; for statistics in centred form
};

class ExpectationMaximization {
 public:
  ExpectationMaximization(const Execution& execution, const Problem& problem, EmOptions options, Journal& journal);

  // Clusters to start from, by one label per row (any integers; empty clusters vanish). F is not known yet.
  [[nodiscard]] State from_labels(std::span<const std::int32_t> labels) const;

  // Iterates until F falls no more. A state's statistics are what its parameters come from, and F belongs to those; it
  // has labels only where an iteration takes long, ties unsettled (label_softly settles them). The state is whole after
  // every iteration, also when Stopped is thrown.
  void converge(State& state);

 private:
  // F at the state's statistics; returns the statistics of the next iteration.
  [[nodiscard]] StatsArena evaluate(State& state);
  void pool(StatsArena& stats) const;

  Execution execution_;
  Problem problem_;
  EmOptions options_;
  Journal& journal_;
  std::unique_ptr<Components> clusters_;
};

// Every unit with the cluster of the largest share in it; rows that a front ties together one by one.
void label_softly(const Execution& execution, const Problem& problem, State& state);

}  // namespace coppice::internal
