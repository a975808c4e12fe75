// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A fitted clustering: its clusters' statistics under a family and a partition prior, and the transforms that its rows
// went through first. A value: copy, move, compare, save.
//
//   std::vector<std::int32_t> labels = model.predict(new_rows);
//   std::vector<double> log_density = model.log_density(new_rows);

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/data/transform.hpp"
#include "coppice/family/components.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// All that a model is made of.
struct ModelParts {
  std::string method;
  std::vector<Column> columns;             // of the rows that were clustered: those the transforms give
  std::vector<double> origin;              // subtracted from every row before anything else
  std::unique_ptr<Components> components;  // the family with its prior
  std::unique_ptr<PartitionPrior> partition;
  StatsArena stats;  // of the clusters, largest first
  double total_weight = 0.0;
  double objective = 0.0;
  Transforms transforms = {};
};

struct Predictions {
  std::vector<std::int32_t> labels;
  std::vector<double> probabilities;  // of the label, under the predictive mixture
  std::size_t n_unlikely = 0;         // rows to which another cluster is more than twice as probable as their own
};

class Model {
 public:
  explicit Model(ModelParts parts);
  Model(const Execution& execution, ModelParts parts);
  Model(const Model& other);
  Model& operator=(const Model& other);
  Model(Model&&) noexcept = default;
  Model& operator=(Model&&) noexcept = default;
  ~Model() = default;

  [[nodiscard]] std::size_t k() const noexcept { return parts_.stats.size(); }
  [[nodiscard]] const std::string& method() const noexcept { return parts_.method; }

  // The columns that were clustered, and those of the rows a user brings; they differ if there are transforms between.
  [[nodiscard]] std::size_t n_columns() const noexcept { return parts_.columns.size(); }
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return parts_.columns; }
  [[nodiscard]] const std::vector<Column>& input_columns() const noexcept {
    return parts_.transforms.empty() ? parts_.columns : parts_.transforms.input_columns();
  }
  [[nodiscard]] const Transforms& transforms() const noexcept { return parts_.transforms; }
  // The model of rows before these transforms, fitted to what the transforms made of them (its own come after these).
  // DataError unless they give the model's input columns.
  [[nodiscard]] Model with_transforms(const Transforms& transforms) const;

  [[nodiscard]] std::span<const double> origin() const noexcept { return parts_.origin; }
  [[nodiscard]] const Components& components() const noexcept { return *parts_.components; }
  [[nodiscard]] const PartitionPrior& partition() const noexcept { return *parts_.partition; }
  [[nodiscard]] const StatsArena& stats() const noexcept { return parts_.stats; }
  [[nodiscard]] double total_weight() const noexcept { return parts_.total_weight; }
  [[nodiscard]] double objective() const noexcept { return parts_.objective; }

  // Whether rows have densities and labels probabilities; without, those functions below make no sense.
  [[nodiscard]] bool has_density() const { return parts_.components->has_density(); }

  // The mean of a cluster, over mean_columns(): taken back through the transforms to the input's columns where they
  // have an inverse (transforms().inverse_kind()), else in the columns that were clustered.
  [[nodiscard]] std::vector<double> mean(std::size_t cluster) const;
  [[nodiscard]] const std::vector<Column>& mean_columns() const;
  // Over columns(): in the space that was clustered.
  [[nodiscard]] std::vector<double> variance(std::size_t cluster) const;

  // Labels of new rows, by the same rule as the fit. Here and below the input's columns are looked up among those of
  // the rows (match_columns; DataError if they are not there) and go through the transforms first.
  [[nodiscard]] std::vector<std::int32_t> predict(const Dataset& rows, std::size_t threads = 0) const;
  [[nodiscard]] std::vector<std::int32_t> predict(const Execution& execution, const Dataset& rows) const;
  [[nodiscard]] Predictions predict_with_probabilities(const Dataset& rows, std::size_t threads = 0) const;
  // The probability of every cluster for every row, row by row: as many numbers as there are probability_names(), which
  // add up to one. visit() gets them in pieces, the rows from `first` on, in order and on this thread: all at once
  // would take clusters times as much memory as the labels.
  using VisitProbabilities = std::function<void(std::size_t first, std::span<const double> probabilities)>;
  void all_probabilities(const Dataset& rows, const VisitProbabilities& visit, std::size_t threads = 0) const;
  [[nodiscard]] std::vector<double> all_probabilities(const Dataset& rows, std::size_t threads = 0) const;
  // p0, p1, ... of the clusters, p_new of a cluster not seen yet (0 where the prior over partitions allows none), and
  // p_outlier if the model has a background.
  [[nodiscard]] std::vector<std::string> probability_names() const;
  // For rows that have labels already: the probability of each row's label.
  [[nodiscard]] std::vector<double> probabilities_of(const Execution& execution, const Dataset& rows,
                                                     std::span<const std::int32_t> labels) const;
  // log p(row | data): the predictive mixture over all clusters, and over a new one where the prior allows that. It
  // adds up to one over all rows, but with a background. With transforms it is the density of the transformed row: it
  // compares models of the same transforms only.
  [[nodiscard]] std::vector<double> log_density(const Dataset& rows, std::size_t threads = 0) const;
  // The objective of a labelling of any rows under this model's priors: -log p(rows, labels).
  [[nodiscard]] double score(const Dataset& rows, std::span<const std::int32_t> labels, std::size_t threads = 0) const;

  friend bool operator==(const Model& a, const Model& b);

 private:
  // The rows as they are clustered.
  [[nodiscard]] Dataset prepared(const Execution& execution, const Dataset& rows) const;
  [[nodiscard]] std::vector<std::int32_t> nearest(const Execution& execution, const Dataset& prepared) const;
  [[nodiscard]] Predictions shares_of(const Execution& execution, const Dataset& prepared,
                                      std::vector<std::int32_t> labels) const;

  ModelParts parts_;
};

}  // namespace coppice
