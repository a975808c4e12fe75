// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors over partitions, as run-time objects: what they add to the cost of a label, to the objective, and to the gain
// of a merge. N is the total weight, K the number of clusters; empty clusters count only through K.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace coppice {

class PartitionPrior {
 public:
  PartitionPrior() = default;
  PartitionPrior(const PartitionPrior&) = delete;
  PartitionPrior& operator=(const PartitionPrior&) = delete;
  virtual ~PartitionPrior() = default;

  [[nodiscard]] virtual std::unique_ptr<PartitionPrior> clone() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual double parameter() const = 0;

  // -E[log weight of a cluster of this size], added to every labelling cost.
  [[nodiscard]] virtual double offset(double size, double total, std::size_t k) const = 0;
  // -log p(labels): the partition's part of the objective.
  [[nodiscard]] virtual double objective(std::span<const double> sizes, double total) const = 0;
  // Change of the objective when two clusters become one, K falling to k - 1: a part that depends on the pair alone and
  // one that is the same for all pairs.
  [[nodiscard]] virtual double merge_pair(double size_a, double size_b) const = 0;
  [[nodiscard]] virtual double merge_level(double total, std::size_t k) const = 0;
  // log share of a cluster, and of a cluster not seen yet (-infinity: none can come), for the next row.
  [[nodiscard]] virtual double log_share(double size, double total, std::size_t k) const = 0;
  [[nodiscard]] virtual double log_share_of_new(double total) const = 0;
  // True if batch sweeps can never raise the objective, so that no repair is needed.
  [[nodiscard]] virtual bool is_monotone() const = 0;
  // What one cluster takes off the objective: merge_pair(a, b) = size_term(a) + size_term(b) - size_term(a + b).
  [[nodiscard]] virtual double size_term(double size) const = 0;
};

// Finite symmetric Dirichlet(phi0) over K labelled clusters.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_dirichlet(double phi0);
// Dirichlet process (Chinese restaurant) with mass alpha.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_dirichlet_process(double alpha);
// No say in the labels and no part in the objective: k-means.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_no_partition_prior();
// The shares of a mixture by maximum likelihood: a cluster's part of the weight, or 1 / K for every cluster.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_shares();
[[nodiscard]] std::unique_ptr<PartitionPrior> make_equal_shares();
// By the names "dirichlet" and "dp" ("none", "shares" and "equal" have no parameter); OptionError for others, and for a
// parameter that is not positive.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_partition_prior(std::string_view name, double parameter);

}  // namespace coppice
