// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/weightless_rows.hpp"

#include <memory>
#include <vector>

#include "coppice/assign/naive.hpp"

namespace coppice::internal {

void label_weightless_rows(const Execution& execution, const Problem& problem, const StatsArena& stats,
                           std::span<std::int32_t> labels) {
  std::vector<std::size_t> weightless;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (problem.units.weight(row) <= 0.0) weightless.push_back(row);
  }
  if (weightless.empty()) return;
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(execution.alone(), stats);
  // Weightless rows take part in nothing, so that their label is that of a new row: the cheapest, ties to the smallest
  // index.
  const std::vector<std::int32_t> none(weightless.size(), -1);
  const Assignment assigned =
      assign_naive(execution.alone(), Subset(problem.units, weightless), *clusters, problem.offsets(stats), none);
  for (std::size_t i = 0; i < weightless.size(); ++i) labels[weightless[i]] = assigned.labels.list()[i];
}

}  // namespace coppice::internal
