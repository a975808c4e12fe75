// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Variational Bayes for mixtures: every cluster has a share in every unit, and parameters and weights have posteriors.
// The objective is the soft bound on -log p(data) (soft_bound.hpp), which never rises. Where the units are summaries or
// the tied leaves of a tree, the rows behind a unit share alike, by their mean cost; the bound is then an upper bound
// of the one over rows.

#include "coppice/infer/journal.hpp"
#include "coppice/infer/soft_bound.hpp"

namespace coppice::internal {

struct SharedSteps {
  double tolerance = 1e-6;    // ends when the bound per weight falls by no more than this
  const char* name = "vb";    // in the trace
  double least_weight = 0.5;  // in rows: a lighter cluster vanishes, unless the bound would rise
  SizeLimit sizes = {};
};

class VariationalBayes {
 public:
  // Keep problem and journal meanwhile.
  VariationalBayes(const Execution& execution, const Problem& problem, SharedSteps steps, Journal& journal);

  // Iterates from the posteriors that the state's statistics give, and reports every step. The objective belongs to the
  // statistics; labels there are only where somebody looks or an iteration takes long, ties unsettled (label_softly
  // settles them). The state is whole after every iteration, also when Stopped is thrown.
  void converge(State& state);
  // Whether the last of them ended at the limit of sizes.
  [[nodiscard]] bool is_held() const noexcept { return is_held_; }

 private:
  Execution execution_;
  Problem problem_;
  SharedSteps steps_;
  Journal& journal_;
  bool is_held_ = false;
};

}  // namespace coppice::internal
