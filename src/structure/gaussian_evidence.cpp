// SPDX-License-Identifier: BSD-3-Clause
// A fit of the prior may ask for all log evidences about 150 times: four cycles over three numbers, twelve evaluations
// for each (prior_fit.cpp). B0 = c V with V fixed: every cluster's B0^-1/2 S B0^-1/2 is brought into tridiagonal form
// once (family/evidence_by_prior.hpp), O(D^3), and then any c, xi0 and eta0 take O(D).

#include "structure/gaussian_evidence.hpp"

#include <cmath>

#include "coppice/family/student.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

GaussianEvidence::GaussianEvidence(const Execution& execution, const NormalWishart& any, std::span<const double> v,
                                   const StatsArena& clusters, PriorAt prior_at)
    : clusters_(clusters),
      n_columns_(v.size()),
      prior_at_(std::move(prior_at)),
      multiples_(any.multiples),
      multiples_decay_(any.multiples_decay),
      of_clusters_(clusters.size()) {
  // |B0| = c^D |V|.
  for (const double variance : v) log_det_v_ += std::log(variance);
  const auto d = static_cast<double>(v.size());
  const bool are_weighted = clusters.stats_size() > WishartFamily::stats_size(v.size());
  for_each_task(execution, {clusters.size(), d * d * d}, [&](std::size_t c) {
    const ConstStatsRef stats = clusters[c];
    of_clusters_[c] = EvidenceByPrior(any, v, are_weighted ? Student::weighted_rows(stats) : stats, stats[0]);
  });
}

double GaussianEvidence::at(const Execution& execution, std::span<const double> values) {
  const ScaledPrior prior = prior_at_(values);
  const std::size_t d = n_columns_;
  const double log_det_b0 = static_cast<double>(d) * std::log(prior.c) + log_det_v_;
  const WishartEvidence evidence({d, prior.xi0, prior.eta0, log_det_b0, multiples_decay_}, multiples_);
  std::vector<double> found(clusters_.size());
  // A look at a dozen multiples, with a division and a logarithm per column.
  for_each_task(execution, {found.size(), 500.0 * static_cast<double>(d)}, [&](std::size_t c) {
    found[c] = of_clusters_[c].log_evidence(evidence, prior.c);
    if (prior.freedom) found[c] += Student::evidence_of_factors(clusters_[c], *prior.freedom, d);
  });
  double sum = 0.0;
  for (const double value : found) sum += value;
  return sum;
}

}  // namespace coppice::internal
