// SPDX-License-Identifier: BSD-3-Clause
// A stick that is cut off after T pieces (docs/methods/bj.md): runs from several starts, for every T of the range.

#include "coppice/methods/blei_jordan.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "coppice/structure/truncated_runs.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/finish_shares.hpp"
#include "methods/planned_fit.hpp"
#include "methods/start.hpp"
#include "methods/stick_mixtures.hpp"

namespace coppice {
using namespace internal;

namespace {

MixtureSpec spec_of(const BleiJordan& method) {
  MixtureSpec spec = stick_spec(method, {method.alpha1, method.alpha2});
  spec.partition.truncation = method.truncation.high;
  spec.has_rivals = false;
  return spec;
}

void check(const Dataset& data, const BleiJordan& method, const MixtureSpec& spec) {
  check_options(method);
  if (method.init && !method.truncation.is_one()) {
    throw OptionError(
        format_text("{init} gives one start, but {truncation} a range of numbers; leave out one of them"));
  }
  check_restarts(method.init, method.restarts, BleiJordan{}.restarts);
  check_stick_mixture(data, BleiJordan::name, spec);
}

Fit fit_mixture(const MixturePlan& plan, const BleiJordan& method, LocalExecution& local, Journal& journal) {
  const RunRange range{method.truncation.low, method.truncation.high, method.init ? 1 : method.restarts};
  const Stopwatch watch;
  TruncatedRuns runs(local.get(), plan, {range, method.tolerance * plan.total_weight}, journal);
  const double prepare_seconds = watch.seconds();
  runs.run();
  const TruncatedFound& found = runs.found();
  const Problem problem{runs.assigner().units(), *found.components, *found.partition, plan.total_weight};
  const StopReason reason = runs.reason();
  Fit result = finish_shares(BleiJordan::name, local.finishing(), plan.rows, problem, found.state, reason);
  take_account(journal, reason, local.get(), result);
  count_used(result);
  result.assign = runs.assigner().report();
  result.seconds.prepare = prepare_seconds;
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const BleiJordan& method, const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check(data, method, spec);
  const auto search = [&](const MixturePlan& plan, LocalExecution& local, Journal& journal) {
    check_start_size(plan.start, "truncation", method.truncation.low);
    journal.states_are_results(true);
    return fit_mixture(plan, method, local, journal);
  };
  Fit result = planned_fit(data, method, spec, run, search);
  add_warnings(result, stick_mixture_warnings(data, method.family));
  if (method.assign == "auto") add_warnings(result, shared_work_warnings(result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const BleiJordan& method,
             const RunOptions& run) {
  MixtureSpec spec = spec_of(method);
  check(data, method, spec);
  check_labels(labels, data);
  const std::size_t k = std::set(labels.begin(), labels.end()).size();
  const auto [low, high] = method.truncation;
  if (k > high) {
    throw OptionError(format_text("the labels have {} clusters, but {} is {}", k, option("truncation"), high));
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t truncation = std::max<std::size_t>(low, k); truncation <= high; ++truncation) {
    spec.partition.truncation = truncation;
    best = std::min(best, planned_score(data, labels, spec, run));
  }
  return best;
}

}  // namespace coppice
