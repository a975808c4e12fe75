// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/variational_bayes.hpp"

#include "infer/soft_descent.hpp"

namespace coppice::internal {

VariationalBayes::VariationalBayes(const Execution& execution, const Problem& problem, SharedSteps steps,
                                   Journal& journal)
    : execution_(execution), problem_(problem), steps_(steps), journal_(journal) {
  journal.set_model(problem.components, problem.partition);
}

void VariationalBayes::converge(State& state) {
  journal_.begin_search();
  const StepLabels labels = journal_.has_observer() ? StepLabels::always : StepLabels::of_long_passes;
  std::uint64_t counted = 0;
  const auto show = [&](const SoftDescent& descent, const char* phase) {
    state.stats = descent.best().stats;
    state.objective = descent.best().bound;
    state.labels = labels_by_unit(problem_.units, descent.labels());
    journal_.counters().distances += descent.distances() - counted;
    counted = descent.distances();
    journal_.report(state, phase);
  };
  SoftDescent descent(execution_, problem_, state.stats, {}, {steps_.least_weight, labels, steps_.sizes});
  show(descent, "start");
  for (double gain = std::numeric_limits<double>::infinity(); gain > steps_.tolerance * problem_.total_weight;) {
    journal_.check_iterations();
    // A vanished cluster is an infinite gain, so that the loop goes on.
    gain = descent.advance();
    journal_.count_iteration();
    show(descent, steps_.name);
  }
  is_held_ = descent.best().is_held;
}

}  // namespace coppice::internal
