// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a fit of the prior asks of Gaussian and Student-t clusters of any shape, with B0 = c V for a diagonal V that
// stays.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coppice/family/evidence_by_prior.hpp"
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice::internal {

// The prior's numbers as the family takes them.
struct ScaledPrior {
  double xi0 = 0.0;
  double eta0 = 0.0;
  double c = 0.0;
  std::optional<double> freedom = {};  // of Student-t clusters
};
using PriorAt = std::function<ScaledPrior(std::span<const double> values)>;

class GaussianEvidence final : public EvidenceOfPrior {
 public:
  // `any` is the prior at any values, `v` the diagonal of V; Student-t clusters if prior_at() gives them a freedom.
  // Keep the clusters while this is in use.
  GaussianEvidence(const Execution& execution, const NormalWishart& any, std::span<const double> v,
                   const StatsArena& clusters, PriorAt prior_at);

  [[nodiscard]] double at(const Execution& execution, std::span<const double> values) override;

 private:
  const StatsArena& clusters_;
  std::size_t n_columns_;
  PriorAt prior_at_;
  std::vector<double> multiples_;
  double multiples_decay_;
  double log_det_v_ = 0.0;
  std::vector<EvidenceByPrior> of_clusters_;
};

}  // namespace coppice::internal
