// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A background beside the clusters: rows that belong to none of them, with the same density 1/V everywhere. To the
// prior over partitions it is one more group, which this wraps around the prior of the clusters:
//
//   objective(sizes, N) = n_out log V - log p(sizes and n_out | N + n_out)
//
// so that searches over the other rows minimize the objective of all rows. Sizes and totals are those of the clusters
// alone. A background without rows changes nothing.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/data/background_label.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

struct Background {
  double log_volume = 0.0;  // log V
  double weight = 0.0;      // n_out, of its rows
  // The box, of a model: what it spans in every column. Nobody but new rows asks for it.
  std::vector<double> low = {};
  std::vector<double> high = {};
  bool operator==(const Background&) const = default;
};

[[nodiscard]] std::unique_ptr<PartitionPrior> beside_background(std::unique_ptr<PartitionPrior> clusters,
                                                                Background background);

// The background's cost of a row with its offset, and its log joint density of a row: what clusters compete with.
// Infinite without a background that has rows.
[[nodiscard]] double background_cost(const PartitionPrior& partition, std::span<const double> sizes, double total);
[[nodiscard]] double background_log_joint(const PartitionPrior& partition, std::span<const double> sizes, double total);

}  // namespace coppice::internal
