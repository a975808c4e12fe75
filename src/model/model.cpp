// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "coppice/assign/naive.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "model/predictive_mixture.hpp"

namespace coppice {

namespace {

ModelParts copy(const ModelParts& parts) {
  return {parts.method, parts.columns,      parts.origin,   parts.components->clone(), parts.partition->clone(),
          parts.stats,  parts.total_weight, parts.objective};
}

}  // namespace

Model::Model(ModelParts parts) : parts_(std::move(parts)) { parts_.components->update(parts_.stats); }

Model::Model(const Model& other) : parts_(copy(other.parts_)) {}

Model& Model::operator=(const Model& other) {
  if (this != &other) parts_ = copy(other.parts_);
  return *this;
}

std::vector<double> Model::mean(std::size_t cluster) const {
  std::vector<double> mean = parts_.components->column_moments(parts_.stats[cluster]).mean;
  for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += parts_.origin[c];
  return mean;
}

std::vector<double> Model::variance(std::size_t cluster) const {
  return parts_.components->column_moments(parts_.stats[cluster]).variance;
}

void Model::check_columns(const Dataset& rows) const {
  if (rows.n_columns() == n_columns()) return;
  throw DataError(fmt::format("the data has {} columns, but the model was fitted to {}; choose them with --columns",
                              rows.n_columns(), n_columns()));
}

std::vector<std::int32_t> Model::predict(const Dataset& rows, std::size_t threads) const {
  check_columns(rows);
  LocalExecution local(threads);
  const Rows view(rows, parts_.origin);
  std::vector<double> offsets(k());
  for (std::size_t c = 0; c < k(); ++c) {
    offsets[c] = parts_.partition->offset(parts_.stats.weight(c), parts_.total_weight, k());
  }
  const std::vector<std::int32_t> present(rows.n_rows(), -1);
  return assign_naive(local.get(), Part(Units(view)), *parts_.components, offsets, present).labels.by_row();
}

Predictions Model::predict_with_probabilities(const Dataset& rows, std::size_t threads) const {
  Predictions predictions;
  predictions.labels = predict(rows, threads);
  LocalExecution local(threads);
  predictions.probabilities = probabilities_of(local.get(), rows, predictions.labels);
  return predictions;
}

std::vector<double> Model::probabilities_of(const Execution& execution, const Dataset& rows,
                                            std::span<const std::int32_t> labels) const {
  std::vector<double> probabilities(rows.n_rows());
  const PredictiveMixture mixture(parts_);
  mixture.for_each_row(execution, Rows(rows, parts_.origin),
                       [&](std::size_t row, std::span<const double> log_joint, double total) {
                         probabilities[row] = std::exp(log_joint[static_cast<std::size_t>(labels[row])] - total);
                       });
  return probabilities;
}

std::vector<double> Model::log_density(const Dataset& rows, std::size_t threads) const {
  check_columns(rows);
  LocalExecution local(threads);
  std::vector<double> result(rows.n_rows());
  const PredictiveMixture mixture(parts_);
  mixture.for_each_row(
      local.get(), Rows(rows, parts_.origin),
      [&](std::size_t row, std::span<const double> /*log_joint*/, double total) { result[row] = total; });
  return result;
}

double Model::score(const Dataset& rows, std::span<const std::int32_t> labels, std::size_t threads) const {
  check_columns(rows);
  if (labels.size() != rows.n_rows()) {
    throw DataError(fmt::format("there are {} labels, but {} rows", labels.size(), rows.n_rows()));
  }
  LocalExecution local(threads);
  const Rows view(rows, parts_.origin);
  return labelling_objective(local.get(), view, *parts_.components, *parts_.partition, labels);
}

bool operator==(const Model& a, const Model& b) {
  return a.parts_.method == b.parts_.method && a.parts_.columns == b.parts_.columns &&
         a.parts_.origin == b.parts_.origin && a.parts_.components->family() == b.parts_.components->family() &&
         a.parts_.components->prior_arrays() == b.parts_.components->prior_arrays() &&
         a.parts_.partition->name() == b.parts_.partition->name() &&
         a.parts_.partition->parameter() == b.parts_.partition->parameter() && a.parts_.stats == b.parts_.stats &&
         a.parts_.total_weight == b.parts_.total_weight && a.parts_.objective == b.parts_.objective;
}

}  // namespace coppice
