// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A fitted clustering: its clusters' statistics under a family and a partition prior. A value: copy, move, compare,
// save.
//
//   std::vector<std::int32_t> labels = model.predict(new_rows);
//   std::vector<double> log_density = model.log_density(new_rows);

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/family/components.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// All that a model is made of.
struct ModelParts {
  std::string method;
  std::vector<Column> columns;
  std::vector<double> origin;              // subtracted from every row before anything else
  std::unique_ptr<Components> components;  // the family with its prior
  std::unique_ptr<PartitionPrior> partition;
  StatsArena stats;  // of the clusters, largest first
  double total_weight = 0.0;
  double objective = 0.0;
};

struct Predictions {
  std::vector<std::int32_t> labels;
  std::vector<double> probabilities;  // of the label, under the predictive mixture
};

class Model {
 public:
  explicit Model(ModelParts parts);
  Model(const Model& other);
  Model& operator=(const Model& other);
  Model(Model&&) noexcept = default;
  Model& operator=(Model&&) noexcept = default;
  ~Model() = default;

  [[nodiscard]] std::size_t k() const noexcept { return parts_.stats.size(); }
  [[nodiscard]] std::size_t n_columns() const noexcept { return parts_.columns.size(); }
  [[nodiscard]] const std::string& method() const noexcept { return parts_.method; }
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return parts_.columns; }
  [[nodiscard]] std::span<const double> origin() const noexcept { return parts_.origin; }
  [[nodiscard]] const Components& components() const noexcept { return *parts_.components; }
  [[nodiscard]] const PartitionPrior& partition() const noexcept { return *parts_.partition; }
  [[nodiscard]] const StatsArena& stats() const noexcept { return parts_.stats; }
  [[nodiscard]] double total_weight() const noexcept { return parts_.total_weight; }
  [[nodiscard]] double objective() const noexcept { return parts_.objective; }

  // Whether rows have densities and labels probabilities; without, those functions below make no sense.
  [[nodiscard]] bool has_density() const { return parts_.components->has_density(); }

  // In the data's own coordinates.
  [[nodiscard]] std::vector<double> mean(std::size_t cluster) const;
  [[nodiscard]] std::vector<double> variance(std::size_t cluster) const;

  // Labels of new rows, by the same rule as the fit. DataError unless the rows have the model's columns.
  [[nodiscard]] std::vector<std::int32_t> predict(const Dataset& rows, std::size_t threads = 0) const;
  [[nodiscard]] Predictions predict_with_probabilities(const Dataset& rows, std::size_t threads = 0) const;
  // For rows that have labels already: the probability of each row's label.
  [[nodiscard]] std::vector<double> probabilities_of(const Execution& execution, const Dataset& rows,
                                                     std::span<const std::int32_t> labels) const;
  // log p(row | data): the predictive mixture over all clusters, and over a new one where the prior allows that.
  [[nodiscard]] std::vector<double> log_density(const Dataset& rows, std::size_t threads = 0) const;
  // The objective of a labelling of any rows under this model's priors: -log p(rows, labels).
  [[nodiscard]] double score(const Dataset& rows, std::span<const std::int32_t> labels, std::size_t threads = 0) const;

  friend bool operator==(const Model& a, const Model& b);

 private:
  void check_columns(const Dataset& rows) const;

  ModelParts parts_;
};

}  // namespace coppice
