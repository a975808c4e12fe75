// SPDX-License-Identifier: BSD-3-Clause
#include "methods/finish.hpp"

#include <string>
#include <utility>

#include "coppice/assign/naive.hpp"
#include "coppice/data/decimals.hpp"
#include "coppice/infer/weightless_rows.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/model/rows_outside.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

// What the model keeps of the partition: of a background, the box that the rows span, too.
std::unique_ptr<PartitionPrior> kept_partition(const PartitionPrior& partition, const Rows& rows) {
  if (partition.background() == nullptr) return partition.clone();
  Background background = *partition.background();
  auto [low, high] = spanned_box(rows);
  background.low = std::move(low);
  background.high = std::move(high);
  return beside_background(partition.of_clusters().clone(), std::move(background));
}

}  // namespace

Fit with_model(std::string_view method, const Execution& execution, const Rows& rows, const Problem& problem,
               StatsArena stats, double objective, std::vector<std::int32_t> labels) {
  // A model without its clusters is none, whoever asks to stop.
  Model model(execution.unstoppable(), {std::string(method),
                                        with_decimals(rows.data()),
                                        {rows.origin().begin(), rows.origin().end()},
                                        problem.components.clone(),
                                        kept_partition(problem.partition, rows),
                                        std::move(stats),
                                        problem.total_weight,
                                        objective});
  Fit fit{{}, std::move(model), std::move(labels)};
  if (fit.model.has_density()) add_probabilities(execution, rows.data(), fit);
  return fit;
}

void add_probabilities(const Execution& execution, const Dataset& data, Fit& fit) {
  try {
    fit.probabilities = fit.model.probabilities_of(execution, data, fit.labels);
  } catch (const Stopped&) {
    fit.warnings.push_back(format_text(
        "there was no time left for the probabilities of the labels; '{predict()} {probabilities}' computes them"));
  }
}

JournalOptions journal_of(const RunOptions& run, std::uint64_t max_iterations) {
  return {run.observer, run.progress, run.on_result, static_cast<std::size_t>(max_iterations)};
}

void take_account(const Journal& journal, StopReason reason, const Execution& execution, Fit& fit) {
  fit.stop_reason = reason;
  fit.converged = reason == StopReason::converged;
  fit.iterations = journal.iterations();
  fit.threads = execution.n_threads();
  fit.trace = journal.trace();
  fit.k_evidence = journal.k_evidence();
  note_objective(fit);
  fit.counters = journal.counters();
}

namespace {

struct Finished {
  NumberedLabels clusters;
  double objective = 0.0;
};

bool has_statistics(const State& state) { return state.k() > 0 && state.stats.weight(0) > 0.0; }

// Summed up in row order: whatever the labels come from, nothing of it is left but the labels. Members that are weighed
// by their cluster agree with it in more than one way; then no way is worse than the one that was found.
StatsArena statistics_in_row_order(const Execution& execution, const Problem& by_row,
                                   std::span<const std::int32_t> labels, const State& state) {
  const Subset all(by_row.units);
  return has_statistics(state) ? statistics_of_list(execution, all, by_row.components, labels, state.stats)
                               : statistics_of_list(execution, all, by_row.components, labels, state.k());
}

Finished recomputed(const Execution& execution, const Problem& by_row, const State& state) {
  std::vector<std::int32_t> labels = state.labels.by_row();
  const StatsArena stats = statistics_in_row_order(execution, by_row, labels, state);
  Finished result{number_by_size(by_row.components, std::move(labels), stats)};
  result.objective = by_row.objective(execution, result.clusters.stats);
  if (by_row.units.rows().are_weighted()) {
    label_weightless_rows(execution, by_row, result.clusters.stats, result.clusters.labels);
  }
  return result;
}

// What the search has left behind: the same but for rounding, and for the labels of rows without weight.
Finished as_found(const Components& components, const State& state) {
  return {number_by_size(components, state.labels.by_row(), state.stats), state.objective};
}

}  // namespace

Fit finish_labels(std::string_view method, const Execution& execution, const Rows& rows, const Problem& problem,
                  const State& state) {
  const Units units(rows);
  const Problem by_row{units, problem.components, problem.partition, problem.total_weight};
  Finished finished = [&] {
    try {
      return recomputed(execution, by_row, state);
    } catch (const Stopped&) {
      if (!has_statistics(state)) throw;
      return as_found(problem.components, state);
    }
  }();
  return with_model(method, execution, rows, by_row, std::move(finished.clusters.stats), finished.objective,
                    std::move(finished.clusters.labels));
}

}  // namespace coppice::internal
