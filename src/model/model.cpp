// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>

#include "coppice/assign/naive.hpp"
#include "coppice/data/match_columns.hpp"
#include "coppice/data/squares.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/model/rows_outside.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "model/no_density.hpp"
#include "model/predictive_mixture.hpp"

namespace coppice {
using namespace internal;

namespace {

ModelParts copy(const ModelParts& parts) {
  return {parts.method, parts.columns,      parts.origin,    parts.components->clone(), parts.partition->clone(),
          parts.stats,  parts.total_weight, parts.objective, parts.transforms};
}

// How far the clusters reach from the origin, column by column: to their means and a standard deviation beyond.
std::vector<double> reach_of(const ModelParts& parts) {
  std::vector<double> reach(parts.columns.size(), 0.0);
  for (std::size_t cluster = 0; cluster < parts.stats.size(); ++cluster) {
    const ColumnMoments moments = parts.components->column_moments(parts.stats[cluster]);
    for (std::size_t c = 0; c < reach.size(); ++c) {
      reach[c] = std::max(reach[c], std::abs(moments.mean[c]) + std::sqrt(moments.variance[c]));
    }
  }
  return reach;
}

}  // namespace

// Components hold posteriors: these are found anew from the statistics, whatever the components come with.
Model::Model(ModelParts parts) : parts_(std::move(parts)) { parts_.components->update(parts_.stats); }

Model::Model(const Execution& execution, ModelParts parts) : parts_(std::move(parts)) {
  parts_.components->update(execution, parts_.stats);
}

Model::Model(const Model& other) : parts_(copy(other.parts_)) {}

Model& Model::operator=(const Model& other) {
  if (this != &other) parts_ = copy(other.parts_);
  return *this;
}

Model Model::with_transforms(const Transforms& transforms) const {
  if (!transforms.empty() && transforms.n_output_columns() != input_columns().size()) {
    throw DataError(fmt::format("the transforms {} give {}, but the model has {}", transforms.to_string(),
                                counted(transforms.n_output_columns(), "column"), input_columns().size()));
  }
  Model result = *this;
  // What is given comes first: the model's own steps were learnt from what it leaves.
  result.parts_.transforms = transforms.then(parts_.transforms);
  return result;
}

std::vector<double> Model::mean(std::size_t cluster) const {
  std::vector<double> mean = parts_.components->column_moments(parts_.stats[cluster]).mean;
  for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += parts_.origin[c];
  if (parts_.transforms.inverse_kind() == Inverse::none) return mean;
  return parts_.transforms.inverse(std::move(mean));
}

const std::vector<Column>& Model::mean_columns() const {
  return parts_.transforms.inverse_kind() == Inverse::none ? columns() : input_columns();
}

std::vector<double> Model::variance(std::size_t cluster) const {
  return parts_.components->column_moments(parts_.stats[cluster]).variance;
}

Dataset Model::prepared(const Execution& execution, const Dataset& rows) const {
  // Without names on either side a number of columns is all that can be checked.
  const bool has_names = have_names(rows.columns()) || have_names(input_columns());
  if (!has_names && rows.n_columns() != input_columns().size()) {
    throw DataError(format_text("the data has {}, but the model was fitted to {}; choose them with {columns}",
                                counted(rows.n_columns(), "column"), input_columns().size()));
  }
  Dataset result = parts_.transforms.apply(execution, match_columns(rows, input_columns()).data);
  if (result.has_missing()) throw DataError("entries are missing, and models take complete rows; remove or fill them");
  if (result.is_sparse() && !parts_.components->takes_sparse_rows()) {
    throw DataError(
        format_text("the rows are sparse, and the model's family '{}' takes dense ones; write them out in full "
                    "({convert()}), or fit a multinomial or bernoulli model",
                    parts_.components->family()));
  }
  parts_.components->check_rows(result);
  // Costs of counts and bits are linear in a row: there is no square that could overflow.
  if (!parts_.components->takes_sparse_rows()) check_reach(result, parts_.origin, reach_of(parts_));
  (void)check_weights(result);
  return result;
}

std::vector<std::int32_t> Model::nearest(const Execution& execution, const Dataset& prepared) const {
  const Rows view(prepared, parts_.origin);
  const std::vector<std::int32_t> present(prepared.n_rows(), -1);
  if (parts_.partition->background() != nullptr) {
    return cheapest_labels(execution, view, {*parts_.components, parts_.stats, *parts_.partition}, present);
  }
  const std::vector<double> offsets = offsets_of(*parts_.partition, parts_.stats.weights(), parts_.total_weight);
  return assign_naive(execution, Subset(Units(view)), *parts_.components, offsets, present).labels.by_row();
}

Predictions Model::shares_of(const Execution& execution, const Dataset& prepared,
                             std::vector<std::int32_t> labels) const {
  const double twice = std::log(2.0);
  std::vector<double> probabilities(prepared.n_rows());
  std::atomic<std::size_t> n_unlikely = 0;
  const PredictiveMixture mixture(execution, *this, ClusterMass::of_evidence);
  mixture.for_each_row(execution, Rows(prepared, parts_.origin), {0, labels}, [&](const PredictiveMixture::OfRow& of) {
    if (!std::isfinite(of.total)) throw no_density(prepared, of.row);
    const std::int32_t label = labels[of.row];
    const double joint = label == background_label ? mixture.background() : of.log_joint_of(label);
    probabilities[of.row] = std::exp(joint - of.total);
    // A new cluster is nobody's label: it is no rival.
    double most = mixture.background();
    for (std::size_t i = 0; i < of.components.size(); ++i) {
      if (of.components[i] < static_cast<std::int32_t>(k())) most = std::max(most, of.log_joint[i]);
    }
    // Hard labels go by expected costs, probabilities by predictive densities: they may differ, and it is told how
    // often they do clearly.
    if (joint + twice < most) n_unlikely.fetch_add(1, std::memory_order_relaxed);
  });
  return {std::move(labels), std::move(probabilities), n_unlikely};
}

std::vector<std::int32_t> Model::predict(const Dataset& rows, std::size_t threads) const {
  LocalExecution local(threads);
  return predict(local.get(), rows);
}

std::vector<std::int32_t> Model::predict(const Execution& execution, const Dataset& rows) const {
  return nearest(execution, prepared(execution, rows));
}

Predictions Model::predict_with_probabilities(const Dataset& rows, std::size_t threads) const {
  LocalExecution local(threads);
  const Dataset ready = prepared(local.get(), rows);
  return shares_of(local.get(), ready, nearest(local.get(), ready));
}

std::vector<double> Model::probabilities_of(const Execution& execution, const Dataset& rows,
                                            std::span<const std::int32_t> labels) const {
  return shares_of(execution, prepared(execution, rows), {labels.begin(), labels.end()}).probabilities;
}

std::vector<double> Model::log_density(const Dataset& rows, std::size_t threads) const {
  LocalExecution local(threads);
  const Dataset ready = prepared(local.get(), rows);
  std::vector<double> result(rows.n_rows());
  const PredictiveMixture mixture(local.get(), *this, ClusterMass::one);
  const std::vector<std::int32_t> near =
      mixture.leaves_out() ? nearest(local.get(), ready) : std::vector<std::int32_t>(ready.n_rows(), background_label);
  mixture.for_each_row(local.get(), Rows(ready, parts_.origin), {0, near}, [&](const PredictiveMixture::OfRow& of) {
    if (!std::isfinite(of.total)) throw no_density(ready, of.row);
    result[of.row] = of.total;
  });
  return result;
}

double Model::score(const Dataset& rows, std::span<const std::int32_t> labels, std::size_t threads) const {
  if (labels.size() != rows.n_rows()) {
    throw DataError(
        fmt::format("{} given, but the data has {}", counted(labels.size(), "label"), counted(rows.n_rows(), "row")));
  }
  LocalExecution local(threads);
  const Rows view(prepared(local.get(), rows), parts_.origin);
  const Background* background = parts_.partition->background();
  const double objective = background == nullptr
                               ? labelling_objective(local.get(), view, *parts_.components, *parts_.partition, labels)
                               : labelling_objective(local.get(), view, *parts_.components,
                                                     parts_.partition->of_clusters(), background->log_volume, labels);
  if (std::isfinite(objective)) return objective;
  throw DataError(
      fmt::format("the objective of these labels is {}: some cluster of them is impossible under the model's family {} "
                  "(too few rows, or rows that do not vary)",
                  objective, parts_.components->family()));
}

bool operator==(const Model& a, const Model& b) {
  const auto beside = [](const Model& model) {
    const Background* background = model.partition().background();
    return background == nullptr ? std::nullopt : std::optional(*background);
  };
  return beside(a) == beside(b) && a.parts_.method == b.parts_.method && a.parts_.columns == b.parts_.columns &&
         a.parts_.origin == b.parts_.origin && a.parts_.components->family() == b.parts_.components->family() &&
         a.parts_.components->prior_arrays() == b.parts_.components->prior_arrays() &&
         a.parts_.partition->name() == b.parts_.partition->name() &&
         a.parts_.partition->parameters() == b.parts_.partition->parameters() && a.parts_.stats == b.parts_.stats &&
         a.parts_.total_weight == b.parts_.total_weight && a.parts_.objective == b.parts_.objective &&
         a.parts_.transforms == b.parts_.transforms;
}

}  // namespace coppice
