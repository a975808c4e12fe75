// SPDX-License-Identifier: BSD-3-Clause
// One step of truncated variational EM: looks around, shares, means and variance.
#include <algorithm>

#include "coppice/infer/truncated_em.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "inputs.hpp"
#include "kinds.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

RowClusters to_row_clusters(const Json& json, const Rows& rows, std::span<const double> centres) {
  RowClusters clusters(rows.size(), json.at(0).size());
  std::vector<double> values(rows.n_columns());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto list = json.at(row).get<std::vector<std::uint32_t>>();
    std::ranges::copy(list, clusters.of(row).begin());
    rows.copy_row(row, values);
    for (std::size_t place = 0; place < list.size(); ++place) {
      double& squared = clusters.squared(row)[place] = 0.0;
      for (std::size_t c = 0; c < values.size(); ++c) {
        const double t = values[c] - centres[list[place] * values.size() + c];
        squared += t * t;
      }
    }
  }
  return clusters;
}

Json lists_of(const RowClusters& clusters) {
  Json lists = Json::array();
  for (std::size_t row = 0; row < clusters.n_rows(); ++row) {
    lists.push_back(std::vector<std::uint32_t>(clusters.of(row).begin(), clusters.of(row).end()));
  }
  return lists;
}

Json lists_of(const Neighbourhoods& neighbourhoods) {
  Json lists = Json::array();
  for (std::size_t c = 0; c < neighbourhoods.size(); ++c) {
    lists.push_back(std::vector<std::uint32_t>(neighbourhoods.of(c).begin(), neighbourhoods.of(c).end()));
  }
  return lists;
}

// Where every cluster is in every neighbourhood, rows find the nearest centres of all.
double error_from_nearest(const Execution& execution, const Rows& rows, std::span<const double> centres) {
  const std::size_t k = centres.size() / rows.n_columns();
  RowClusters nearest(rows.size(), 1);
  const Neighbourhoods all = nearest_neighbourhoods(execution, centres, rows.n_columns(), k);
  (void)look_around(execution, {rows, centres, all, {}}, nearest);
  double sum = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) sum += nearest.least(row);
  return sum;
}

Json distances_of(const DistanceEstimates& estimates, std::size_t k) {
  Json matrix = Json::array();
  for (std::size_t c = 0; c < k; ++c) {
    Json of_cluster(k, nullptr);
    for (const EstimatedDistance& one : estimates.of(c)) of_cluster[one.to] = one.distance;
    matrix.push_back(of_cluster);
  }
  return matrix;
}

Json tvem_step(const Json& inputs) {
  LocalExecution local(1);
  const Rows rows = to_rows(inputs.at("Y"));
  const std::vector<double> centres = to_values(inputs.at("mu"));
  const std::size_t k = inputs.at("mu").size();
  TruncatedOptions options{.n_each = inputs.at("Cprime").get<std::size_t>(),
                           .n_neighbours = inputs.at("G").get<std::size_t>()};
  const bool estimates = inputs.at("variant") == "S";
  options.rule = estimates ? NeighbourhoodRule::estimated : NeighbourhoodRule::exhaustive;
  Neighbourhoods around = nearest_neighbourhoods(local.get(), centres, rows.n_columns(), options.n_neighbours);
  if (estimates) {
    for (std::size_t c = 0; c < k; ++c) around.set(c, inputs.at("Gc").at(c).get<std::vector<std::uint32_t>>());
  }
  const auto explored = inputs.value("explore", std::vector<std::uint32_t>());
  const RowClusters before = to_row_clusters(inputs.at("K"), rows, centres);

  Json result;
  result["neighbourhoods_used"] = lists_of(around);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    result["search_space"].push_back(search_space({rows, centres, around, explored}, before, row));
  }
  TruncatedEm em(local.get(), rows, options, centres, before, around);
  em.set_variance(inputs.at("sigma2").get<double>());
  result["F_start"] = em.free_energy();
  RowClusters again = before;
  const LookedAround looked = look_around(local.get(), {rows, centres, around, explored, estimates}, again);
  if (estimates) {
    result["estimated_distances"] = distances_of(DistanceEstimates(local.get(), looked.distances_seen, k), k);
  }
  (void)em.look_around(explored);
  result["new_K"] = lists_of(em.clusters_of_rows());
  result["F_after_E"] = em.free_energy();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::vector<double> of_all(k, 0.0);
    const std::vector<double> shares = em.shares(row);
    for (std::size_t place = 0; place < shares.size(); ++place)
      of_all[em.clusters_of_rows().of(row)[place]] = shares[place];
    result["resp"].push_back(of_all);
  }
  if (estimates) result["new_neighbourhoods"] = lists_of(em.neighbourhoods());
  em.move_centres();
  std::vector<double> moved;
  for (std::size_t c = 0; c < k; ++c) {
    const auto mean = em.stats()[c].subspan(1, rows.n_columns());
    moved.insert(moved.end(), mean.begin(), mean.end());
  }
  result["new_mu"] = to_matrix(moved, rows.n_columns());
  result["new_sigma2"] = em.variance();
  result["quantization_error"] = error_from_nearest(local.get(), rows, moved);
  TruncatedEm after(local.get(), rows, options, moved, to_row_clusters(result["new_K"], rows, moved), around);
  after.set_variance(em.variance());
  result["F_after_M"] = after.free_energy();
  return result;
}

}  // namespace

void add_truncated_kinds(Kinds& kinds) { kinds["tvem_step"] = tvem_step; }

}  // namespace coppice::golden
