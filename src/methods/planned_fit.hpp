// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What fits of planned mixtures have in common, whatever searches: rows made ready, the plan, a start, the journal and
// the clock.

#include "coppice/methods/fit.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/start.hpp"

namespace coppice::internal {

// `search(plan, local, journal)` gives the fit to the plan's rows.
template <class Method, class Search>
[[nodiscard]] Fit planned_fit(const Dataset& data, const Method& method, const MixtureSpec& spec, const RunOptions& run,
                              const Search& search) {
  check_options(run);
  const Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const ReadyRows ready = ready_rows(local.get(), spec, data);
  MixturePlan plan = make_plan(local.get(), spec, ready.rows);
  if (method.init) plan.start = start_labels(local.get(), *method.init, plan.rows);
  const double planning_seconds = watch.seconds();
  Journal journal(journal_of(run, method.max_iterations));
  Fit result = search(plan, local, journal);
  result.model = result.model.with_transforms(ready.steps);
  result.seconds.prepare += planning_seconds;
  result.seconds.fit = watch.seconds() - result.seconds.prepare;
  return result;
}

// The objective of labels under the plan.
[[nodiscard]] double planned_score(const Dataset& data, std::span<const std::int32_t> labels, const MixtureSpec& spec,
                                   const RunOptions& run);

}  // namespace coppice::internal
