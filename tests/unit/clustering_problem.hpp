// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small clustering problems for the tests of assignment, inference and structure search: rows, a Gaussian family and a
// partition prior, kept alive together.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "coppice/data/generate.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

inline std::vector<std::int32_t> random_labels(std::size_t n, std::size_t k, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 7};
  std::vector<std::int32_t> labels(n);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(k));
  return labels;
}

// Independent normals about k centres that are themselves normal with standard deviation `spread`.
inline Dataset scattered_rows(std::size_t n_rows, std::size_t n_columns, std::size_t k, std::uint64_t seed,
                              double spread = 3.0) {
  RandomStream random{seed, Purpose::test, 8};
  std::vector<double> centres(k * n_columns);
  for (double& value : centres) value = spread * random.normal();
  std::vector<double> values;
  values.reserve(n_rows * n_columns);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t centre = random.below(k);
    for (std::size_t c = 0; c < n_columns; ++c) values.push_back(centres[centre * n_columns + c] + random.normal());
  }
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

// The same with two more columns that are 3 and -7 in every row.
inline Dataset beside_constants(const Dataset& data) {
  std::vector<double> values;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    values.push_back(3.0);
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
    values.push_back(-7.0);
  }
  return Dataset::from_rows(std::move(values), data.n_rows(), data.n_columns() + 2);
}

inline Dataset as_float32(const Dataset& data) {
  const std::vector<float> values(data.doubles().begin(), data.doubles().end());
  return Dataset::from_rows(values, data.n_rows(), data.n_columns());
}

// Weights between 0 and 3, some of them 0.
inline std::vector<double> some_weights(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 9};
  std::vector<double> weights(n);
  for (double& weight : weights) weight = std::max(0.0, random.uniform(-0.3, 3.0));
  return weights;
}

// m0 = 0, eta0 = D, B0 = scale I.
inline NormalWishart plain_prior(std::size_t d, double scale = 1.0, double xi0 = 0.1) {
  NormalWishart prior{std::vector<double>(d, 0.0), xi0, static_cast<double>(d), std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d; ++i) prior.b0[i * d + i] = scale;
  return prior;
}

inline FamilyAdapter<Gaussian> plain_gaussian(std::size_t d, double scale = 1.0) {
  return FamilyAdapter<Gaussian>(Gaussian(plain_prior(d, scale)));
}

class ClusteringProblem {
 public:
  ClusteringProblem(Dataset data, NormalWishart prior, std::unique_ptr<PartitionPrior> partition, StopSignal stop = {})
      : local_(1, std::move(stop)),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        units_(rows_),
        components_(Gaussian(std::move(prior))),
        partition_(std::move(partition)) {
    for (std::size_t row = 0; row < rows_.size(); ++row) total_ += rows_.weight(row);
  }
  ClusteringProblem(Dataset data, std::unique_ptr<PartitionPrior> partition)
      : ClusteringProblem(data, plain_prior(data.n_columns()), std::move(partition)) {}

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const FamilyAdapter<Gaussian>& components() const noexcept { return components_; }
  [[nodiscard]] const PartitionPrior& partition() const noexcept { return *partition_; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] Problem problem() const { return {units_, components_, *partition_, total_}; }
  [[nodiscard]] MaximizationExpectation me(JournalOptions options = {}) {
    return {local_.get(), problem(), journals_.emplace_back(std::move(options))};
  }

  // The objective from the labels alone.
  [[nodiscard]] double objective(std::span<const std::int32_t> labels) {
    return labelling_objective(local_.get(), rows_, components_, *partition_, labels);
  }
  [[nodiscard]] double objective(const Labels& labels) { return objective(labels.by_row()); }

 private:
  LocalExecution local_;
  Rows rows_;
  Units units_;
  FamilyAdapter<Gaussian> components_;
  std::unique_ptr<PartitionPrior> partition_;
  double total_ = 0.0;
  std::deque<Journal> journals_;
};

// Both kinds of partition prior.
inline std::unique_ptr<PartitionPrior> partition_number(std::size_t which) {
  return which % 2 == 0 ? make_dirichlet(2.0) : make_dirichlet_process(1.5);
}

}  // namespace coppice::internal
