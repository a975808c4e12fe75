// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Models made from labels, without a fit.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "coppice/assign/naive.hpp"
#include "coppice/model/model.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {

// The labels must be 0..k-1. The origin is not zero, so that forgetting it shows.
inline Model model_of_labels(const Dataset& data, const std::vector<std::int32_t>& labels, std::size_t k,
                             std::unique_ptr<PartitionPrior> partition) {
  LocalExecution local(1);
  const std::vector<double> origin(data.n_columns(), 0.5);
  const Rows rows(data, origin);
  const Units units(rows);
  auto components = std::make_unique<FamilyAdapter<Gaussian>>(Gaussian(plain_prior(data.n_columns())));
  StatsArena stats = statistics_of_list(local.get(), Subset(units), *components, labels, k);
  const double objective = labelling_objective(local.get(), rows, *components, *partition, labels);
  double total = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) total += data.weight(row);
  return Model({.method = "bkm",
                .columns = data.columns(),
                .origin = origin,
                .components = std::move(components),
                .partition = std::move(partition),
                .stats = std::move(stats),
                .total_weight = total,
                .objective = objective});
}

inline Model example_model(std::size_t n_columns, std::size_t which_partition, std::uint64_t seed = 1) {
  const Dataset data = scattered_rows(90, n_columns, 3, seed);
  return model_of_labels(data, random_labels(90, 3, seed), 3, partition_number(which_partition));
}

}  // namespace coppice::internal
