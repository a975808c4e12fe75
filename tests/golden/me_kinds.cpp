// SPDX-License-Identifier: BSD-3-Clause
// The maximization-expectation algorithm: objective, one sweep, and the gains of merging.
#include "labelled_case.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

Json me_free_energy(const Json& inputs) {
  const LabelledCase test(inputs);
  return {{"F", test.problem().objective(test.stats())}};
}

// Cost of every label for every row, the partition's part included.
Json label_costs(const LabelledCase& test, const Components& clusters, const std::vector<double>& offsets) {
  BlockBuffer buffer(test.rows().n_columns());
  std::vector<double> costs(test.k() * kernels::panel_stride);
  std::vector<double> table;
  for (std::size_t first = 0; first < test.rows().size(); first += kernels::panel_rows) {
    RowBlock block(test.rows(), first, std::min(kernels::panel_rows, test.rows().size() - first), buffer);
    clusters.costs({}, block, costs.data());
    for (std::size_t row = 0; row < block.n_rows(); ++row) {
      for (std::size_t c = 0; c < test.k(); ++c) table.push_back(costs[c * kernels::panel_stride + row] + offsets[c]);
    }
  }
  return to_matrix(table, test.k());
}

Json me_sweep(const Json& inputs) {
  LabelledCase test(inputs);
  const Problem problem = test.problem();
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(test.stats());
  const std::vector<double> offsets = problem.offsets(test.stats());
  const Assignment assignment =
      assign(test.execution(), Subset(problem.units), *clusters, offsets, labels_of(problem.units, test.labels()));

  Json result;
  result["label_costs"] = label_costs(test, *clusters, offsets);
  result["new_z"] = Json::array();
  for (const std::int32_t label : assignment.labels.by_row()) {
    result["new_z"].push_back(test.name(static_cast<std::size_t>(label)));
  }
  result["F_before"] = problem.objective(test.stats());
  result["F_after"] = problem.objective(assignment.stats);
  return result;
}

Json merge_gain(const Json& inputs) {
  const LabelledCase test(inputs);
  const Problem problem = test.problem();
  const StatsArena& stats = test.stats();
  const double level = problem.partition.merges().level(problem.total_weight, test.k());
  Json gains = Json::array();
  for (std::size_t a = 0; a < test.k(); ++a) {
    for (std::size_t b = a + 1; b < test.k(); ++b) {
      if (stats.weight(a) <= 0.0 || stats.weight(b) <= 0.0) continue;
      const double gain = problem.components.merge_loss(stats[a], stats[b]) +
                          problem.partition.merges().pair(stats.weight(a), stats.weight(b)) + level;
      gains.push_back({test.name(a), test.name(b), gain});
    }
  }
  return {{"gains", gains}};
}

}  // namespace

void add_me_kinds(Kinds& kinds) {
  kinds["me_free_energy"] = me_free_energy;
  kinds["me_sweep"] = me_sweep;
  kinds["merge_gain"] = merge_gain;
}

}  // namespace coppice::golden
