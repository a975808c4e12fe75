// SPDX-License-Identifier: BSD-3-Clause
#include "write/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/partition/background.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

// A fit keeps sums of squares below 1e300 (data/squares.hpp): means lie within the rows' range, and a variance is at
// most a squared range.
constexpr double most_squares = 1e303;
constexpr double rounding = 1e-6;  // of sums over as many rows as there may be

void check_weights(const ModelParts& parts) {
  if (!(parts.total_weight > 0.0) || !std::isfinite(parts.total_weight)) {
    throw DataError(fmt::format("model.json: total_weight is {}, but must be positive", parts.total_weight));
  }
  const Background* background = parts.partition->background();
  double sum = background == nullptr ? 0.0 : background->weight;
  // Parameters with a density of their own are there without rows, too.
  const bool may_be_empty = parts.components->log_evidence(std::vector<double>(parts.stats.stats_size(), 0.0)) != 0.0;
  for (std::size_t cluster = 0; cluster < parts.stats.size(); ++cluster) {
    const double weight = parts.stats.weight(cluster);
    if (!(weight > 0.0) && !(may_be_empty && weight == 0.0))
      throw DataError(fmt::format("stats.npy [{}, 0] is {}, but a cluster's weight is positive", cluster, weight));
    sum += weight;
  }
  // A prior that knows of clusters which have not come may have a share of the rows for them.
  const bool has_remainder =
      std::isfinite(parts.partition->remainder_offset(parts.stats.weights(), parts.total_weight));
  const double missing = parts.total_weight - sum;
  if ((has_remainder ? -missing : std::abs(missing)) <= rounding * parts.total_weight) return;
  throw DataError(
      fmt::format("stats.npy: the weights of the clusters (and of a background) add up to {}, but "
                  "total_weight in model.json is {}",
                  sum, parts.total_weight));
}

void check_moments(const ModelParts& parts, std::size_t cluster) {
  const ColumnMoments moments = parts.components->column_moments(parts.stats[cluster]);
  const bool are_counts = parts.components->takes_sparse_rows();
  const double heaviest = std::max(1.0, parts.total_weight);
  for (std::size_t c = 0; c < moments.mean.size(); ++c) {
    const double mean = moments.mean[c];
    const double variance = moments.variance[c];
    const std::string_view name = parts.columns[c].name;
    if (are_counts && !(parts.stats[cluster][1 + c] >= 0.0)) {
      throw DataError(fmt::format("stats.npy [{}, {}] is {}, but column '{}' holds counts, whose sum is 0 or more",
                                  cluster, 1 + c, parts.stats[cluster][1 + c], name));
    }
    if (!(variance >= 0.0)) {
      throw DataError(
          fmt::format("stats.npy [{}]: column '{}' has the mean {} and the variance {} in cluster {}, which "
                      "no rows have",
                      cluster, name, mean, variance, cluster));
    }
    // As a fit asks of rows (data/squares.hpp): squares must stay in range when they are multiplied by the weight
    // twice.
    if (!(mean * mean <= most_squares / heaviest / heaviest) || !(variance <= most_squares / heaviest / heaviest)) {
      throw DataError(
          fmt::format("stats.npy [{}]: column '{}' has the mean {} and the variance {} in cluster {}: sums "
                      "of their squares overflow, and no fit accepts such rows",
                      cluster, name, mean, variance, cluster));
    }
  }
}

// Rows that every family takes: as far from all clusters as the origin is, or without a count.
Dataset probe(const Model& model) {
  std::vector<double> row(model.n_columns(), 0.0);
  if (!model.components().takes_sparse_rows()) row.assign(model.origin().begin(), model.origin().end());
  return Dataset::from_rows(std::move(row), 1, model.n_columns());
}

}  // namespace

void check_parts(const ModelParts& parts) {
  check_weights(parts);
  if (!std::isfinite(parts.objective)) throw DataError("model.json: the objective is not a finite number");
  for (std::size_t c = 0; c < parts.origin.size(); ++c) {
    const double most = parts.components->takes_sparse_rows() ? 0.0 : most_squares;  // counts are taken as they are
    if (!(std::abs(parts.origin[c]) <= most))
      throw DataError(fmt::format("origin.npy [{}] is {}, which is no origin for such rows", c, parts.origin[c]));
  }
  for (std::size_t cluster = 0; cluster < parts.stats.size(); ++cluster) check_moments(parts, cluster);
}

void check_answers(const Model& model) {
  const std::size_t k = model.k();
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const std::vector<double> mean = model.mean(cluster);
    if (std::ranges::all_of(mean, [](double value) { return std::isfinite(value); })) continue;
    throw DataError(fmt::format(
        "stats.npy [{}]: the mean of cluster {}, taken back through the transforms, is not finite", cluster, cluster));
  }
  const Rows rows(probe(model), {model.origin().begin(), model.origin().end()});
  BlockBuffer buffer(model.n_columns());
  RowBlock block(rows, 0, 1, buffer);
  std::vector<double> log_density(k * kernels::panel_stride);
  model.components().log_predictive({}, block, log_density.data());
  const std::vector<double> offsets = offsets_of(model.partition(), model.stats().weights(), model.total_weight());
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const double evidence = model.components().log_evidence(model.stats()[cluster]);
    const double density = log_density[cluster * kernels::panel_stride];
    const bool may_be_joined = std::isfinite(offsets[cluster]) || model.stats().weight(cluster) == 0.0;
    if (std::isfinite(evidence) && may_be_joined && std::isfinite(density)) continue;
    throw DataError(
        fmt::format("stats.npy [{}]: cluster {} has, with the prior of the model, the log evidence {}, the log density "
                    "{} and the offset {}, which are not finite numbers",
                    cluster, cluster, evidence, density, offsets[cluster]));
  }
}

}  // namespace coppice::internal
