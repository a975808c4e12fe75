// SPDX-License-Identifier: BSD-3-Clause
// Clusters that share rows: the variational mixture.
#include <algorithm>
#include <cmath>

#include "coppice/infer/soft_bound.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "inputs.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

// Statistics of every cluster, rows counted with their shares in it.
StatsArena shared_statistics(const Components& family, const Rows& rows, const Json& shares) {
  StatsArena stats(shares.at(0).size(), family.stats_size());
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t c = 0; c < stats.size(); ++c) {
    std::vector<double> of_cluster;
    for (const Json& row : shares) of_cluster.push_back(row.at(c).get<double>());
    RowBlock block(rows, 0, rows.size(), buffer);
    family.add(stats[c], block, of_cluster);
  }
  return stats;
}

// -cost_c(x_n) - offset_c, row by row.
std::vector<double> scores_of(const Components& clusters, const Rows& rows, std::span<const double> offsets) {
  BlockBuffer buffer(rows.n_columns());
  RowBlock block(rows, 0, rows.size(), buffer);
  std::vector<double> costs(offsets.size() * kernels::panel_stride);
  clusters.costs({}, block, costs.data());
  std::vector<double> scores;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t c = 0; c < offsets.size(); ++c) {
      scores.push_back(-costs[c * kernels::panel_stride + row] - offsets[c]);
    }
  }
  return scores;
}

std::vector<double> softmax(std::vector<double> scores, std::size_t k) {
  for (auto row = scores.begin(); row != scores.end(); row += static_cast<std::ptrdiff_t>(k)) {
    const auto end = row + static_cast<std::ptrdiff_t>(k);
    const double largest = *std::max_element(row, end);
    double sum = 0.0;
    for (auto value = row; value != end; ++value) sum += * value = std::exp(*value - largest);
    for (auto value = row; value != end; ++value) *value /= sum;
  }
  return scores;
}

Json vbmg_cycle(const Json& inputs) {
  LocalExecution local(1);
  const std::unique_ptr<Components> family = to_components(inputs.at("family"));
  const double phi0 = inputs.at("phi0").get<double>();
  const std::unique_ptr<PartitionPrior> partition = make_dirichlet(phi0);
  const Rows rows = to_rows(inputs.at("X"));
  const Units units(rows);
  const Problem problem{units, *family, *partition, static_cast<double>(rows.size())};

  const StatsArena stats = shared_statistics(*family, rows, inputs.at("R"));
  const std::unique_ptr<Components> clusters = family->clone();
  clusters->update(stats);
  const std::vector<double> scores = scores_of(*clusters, rows, problem.offsets(stats));
  Json result;
  result["phi"] = stats.weights();
  for (Json& entry : result["phi"]) entry = entry.get<double>() + phi0;
  result["scores"] = to_matrix(scores, stats.size());
  result["new_R"] = to_matrix(softmax(scores, stats.size()), stats.size());
  result["F"] = soften(local.get(), problem, stats, {.max_iterations = 0}).bound;
  return result;
}

}  // namespace

void add_soft_kinds(Kinds& kinds) { kinds["vbmg_cycle"] = vbmg_cycle; }

}  // namespace coppice::golden
