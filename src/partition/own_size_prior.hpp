// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors in which a cluster's share depends on its own size, the total and the number of clusters, and in which a merge
// therefore concerns two clusters alone: Dirichlet, Dirichlet process, shares, none.

#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

class OwnSizePrior : public PartitionPrior, public MergeTerms {
 public:
  void log_shares(std::span<const double> sizes, double total, std::span<double> out) const final;
  [[nodiscard]] std::unique_ptr<ShareTable> share_table(std::span<const double> sizes, double total) const final;
  [[nodiscard]] const MergeTerms* closed_merges() const final { return this; }

  // Of a cluster of this size among k.
  [[nodiscard]] virtual double log_share(double size, double total, std::size_t k) const = 0;
};

}  // namespace coppice::internal
