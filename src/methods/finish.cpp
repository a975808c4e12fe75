// SPDX-License-Identifier: BSD-3-Clause
#include "methods/finish.hpp"

#include <string>

#include "coppice/model/labelling.hpp"
#include "methods/weightless_rows.hpp"

namespace coppice {

Fit with_model(std::string_view method, const Execution& execution, const Rows& rows, const Problem& problem,
               StatsArena stats, double objective, std::vector<std::int32_t> labels) {
  Model model({std::string(method),
               rows.data().columns(),
               {rows.origin().begin(), rows.origin().end()},
               problem.components.clone(),
               problem.partition.clone(),
               std::move(stats),
               problem.total_weight,
               objective});
  std::vector<double> probabilities;
  if (model.has_density()) probabilities = model.probabilities_of(execution, rows.data(), labels);
  return Fit{.model = std::move(model), .labels = std::move(labels), .probabilities = std::move(probabilities)};
}

Fit finish_labels(std::string_view method, const Execution& execution, const Rows& rows, const Problem& problem,
                  const State& state) {
  auto [labels, stats] = number_by_size(execution, rows, problem.components, state.labels.by_row(), state.k());
  const Units units(rows);
  const Problem by_row{units, problem.components, problem.partition, problem.total_weight};
  const double objective = by_row.objective(stats);
  if (rows.are_weighted()) label_weightless_rows(execution, by_row, stats, labels);
  return with_model(method, execution, rows, by_row, std::move(stats), objective, std::move(labels));
}

}  // namespace coppice
