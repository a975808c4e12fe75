// SPDX-License-Identifier: BSD-3-Clause
// Clusters that share rows: the variational mixture, and the mixture of greatest likelihood with its criterion.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/evaluate/bic.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/infer/soft_bound.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "inputs.hpp"
#include "methods/point_clusters.hpp"

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

// Statistics that have given weights, means and covariances.
StatsArena mixture_statistics(const Json& inputs, double n_rows) {
  const std::size_t d = inputs.at("mu").at(0).size();
  StatsArena stats(inputs.at("w").size(), PointGaussian::stats_size(d));
  for (std::size_t c = 0; c < stats.size(); ++c) {
    const double weight = inputs.at("w").at(c).get<double>() * n_rows;
    double* entry = stats[c].data();
    *entry++ = weight;
    for (const Json& mean : inputs.at("mu").at(c)) *entry++ = mean.get<double>();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) *entry++ = weight * inputs.at("cov").at(c).at(i).at(j).get<double>();
    }
  }
  return stats;
}

Json mixture_parameters(const PointGaussian& family, const StatsArena& stats, double n_rows) {
  Json result;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    const std::vector<double> mean = family.column_moments(stats[c]).mean;
    result["w"].push_back(stats.weight(c) / n_rows);
    result["mu"].push_back(mean);
    result["cov"].push_back(to_matrix(family.covariance(stats[c]), mean.size()));
  }
  return result;
}

Json kmeans_bic(const Rows& rows, const std::vector<double>& values, const Json& labels) {
  LocalExecution local(1);
  const std::size_t d = rows.n_columns();
  const Dataset data = Dataset::from_rows(values, rows.size(), d);
  const Fit found =
      fit(data, KMeans{.k = {1, 2}, .criterion = "bic", .restarts = 5});  // whose clusters are those of the labels
  if (evaluate::adjusted_rand_index(found.labels, labels.get<std::vector<std::int32_t>>()) != 1.0) {
    throw std::runtime_error("k-means finds other clusters");
  }
  const double k = static_cast<double>(found.model.k());
  const double n_parameters = (k - 1.0) + k * static_cast<double>(d) + 1.0;
  const double bic = found.criteria.at("bic");
  const double penalty = evaluate::bic(0.0, n_parameters, static_cast<double>(rows.size()));
  return {{"bic", bic}, {"log_lik", penalty - bic}, {"parameters", n_parameters}};
}

Json bic(const Json& inputs) {
  LocalExecution local(1);
  const Rows rows = to_rows(inputs.at("X"));
  const Units units(rows);
  const auto n_rows = static_cast<double>(rows.size());
  const FamilyAdapter<PointGaussian> family(PointGaussian(rows.n_columns(), 0.0));
  const StatsArena stats = mixture_statistics(inputs, n_rows);
  const double n_parameters = bic_parameters("gaussian", rows.n_columns(), stats.size());
  const auto partition = make_shares(parameters_of_clusters("gaussian", rows.n_columns()));
  const auto plain = make_shares();
  const auto after = [&](const PartitionPrior& prior, std::size_t n_steps) {
    return soften(local.get(), {units, family, prior, n_rows}, stats, {.max_iterations = n_steps});
  };
  const SoftClusters next = after(*plain, 1);
  Json result;
  result["kmeans"] = kmeans_bic(rows, to_values(inputs.at("X")), inputs.at("z"));
  result["mog"] = {
      {"bic", after(*partition, 0).bound}, {"log_lik", -after(*plain, 0).bound}, {"parameters", n_parameters}};
  result["mog_after_one_em"] = mixture_parameters(family.get(), next.stats, n_rows);
  result["mog_after_one_em"]["log_lik"] = -next.bound;
  return result;
}

}  // namespace

void add_soft_kinds(Kinds& kinds) {
  kinds["vbmg_cycle"] = vbmg_cycle;
  kinds["bic"] = bic;
}

}  // namespace coppice::golden
