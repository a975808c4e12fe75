// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/journal.hpp"

#include <algorithm>
#include <utility>

#include "coppice/infer/soft_bound.hpp"

namespace coppice::internal {

void Journal::check_iterations() const {
  // A limit holds for every search by itself: a fit of many searches would else end in the midst of the first.
  if (iterations_ - search_start_ >= options_.max_iterations) throw Stopped(StopReason::iteration_limit);
}

void Journal::set_model(const Components& family, const PartitionPrior& partition) {
  if (!has_observer()) return;
  model_ = std::make_shared<StateModel>(StateModel{std::string(family.family()), family.prior_arrays(),
                                                   std::string(partition.name()), partition.parameters()});
}

Progress Journal::now(std::string phase, std::size_t k, double objective) const {
  return {std::move(phase), iterations_, k, objective, watch_.seconds(), counters_.distances};
}

void Journal::report(State& state, const char* phase) {
  state.progress = now(phase, state.k(), state.objective);
  if (may_count(state.stats)) note_evidence(state.k(), state.objective);
  report(state);
}

void Journal::report(State& state) {
  note(state.progress);
  show(state);
}

// A request to end that comes with this very state finds it told of as a result.
void Journal::show(State& state) const {
  state.model = model_;
  state.is_of_all_rows = are_of_all_rows_;
  if (are_results_) tell_of_result();
  // Before observers see it: what must not be, nobody should be shown.
  if (guard_) guard_(state);
  if (options_.progress && options_.progress(state.progress) == Next::stop) throw Stopped(StopReason::cancelled);
  if (options_.observer && options_.observer(state) == Next::stop) throw Stopped(StopReason::cancelled);
}

void Journal::tell_of_result() const {
  if (options_.on_result) options_.on_result();
}

bool Journal::may_count(const StatsArena& clusters) const { return !has_lighter(clusters, least_size_); }

void Journal::note_evidence(std::size_t k, double objective) {
  if (!counts_as_evidence_) return;
  const auto [entry, is_new] = k_evidence_.emplace(k, objective);
  if (!is_new) entry->second = std::min(entry->second, objective);
}

}  // namespace coppice::internal
