// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged Gaussian clusters. Of what the two clusters bring, all but log |B| depends on their weight
// alone:
//
//   log evidence = c(n) - (eta0 + n) / 2 log |B|
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "coppice/family/gaussian.hpp"
#include "coppice/kernels/special.hpp"
#include "family/by_weight.hpp"
#include "family/centred_moments.hpp"
#include "family/merged_scatter.hpp"
#include "family/wishart_parts.hpp"

namespace coppice {

namespace {

// c(n), [S] Eq. 3.3 corrected, see docs/errata.md
struct EvidenceOfWeight {
  double operator()(double n) const {
    if (n <= 0.0) return 0.0;
    const auto dimension = static_cast<double>(n_columns);
    return -dimension * n / 2.0 * std::log(std::numbers::pi) + dimension / 2.0 * std::log(xi0 / (xi0 + n)) +
           eta0 / 2.0 * log_det_b0 + kernels::log_multigamma((eta0 + n) / 2.0, n_columns) -
           kernels::log_multigamma(eta0 / 2.0, n_columns);
  }

  std::size_t n_columns;
  double xi0;
  double eta0;
  double log_det_b0;
};

class GaussianMerges final : public MergedEvidence {
 public:
  GaussianMerges(const Gaussian& family, double log_det_b0, const StatsArena& stats)
      : family_(family),
        prior_(family.prior()),
        of_weight_(stats, EvidenceOfWeight{family.n_columns(), prior_.xi0, family.prior().eta0, log_det_b0}),
        weights_(stats.size()),
        alone_(stats.size()),
        scatter_(merged_scatter(prior_, stats.size())) {
    for (std::size_t c = 0; c < stats.size(); ++c) set(c, stats[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return alone_[cluster]; }

  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    for (std::size_t first = 0; first < others.size(); first += most_pairs) {
      const auto some = others.subspan(first, std::min(most_pairs, others.size() - first));
      scatter_->log_dets(static_cast<std::uint32_t>(one), some, out + first);
      for (std::size_t i = 0; i < some.size(); ++i) out[first + i] = evidence(one, some[i], out[first + i]);
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    std::vector<double> scaled(stats.size());
    prior_.scale_statistics(stats, scaled);
    scatter_->set(cluster, scaled);
    weights_[cluster] = stats[0];
    alone_[cluster] = family_.log_evidence(stats);
  }

 private:
  [[nodiscard]] double evidence(std::size_t one, std::size_t other, double log_det) const {
    const double n = weights_[one] + weights_[other];
    if (!(n > 0.0)) return 0.0;
    if (std::isnan(log_det)) log_det = careful_log_det(std::min(one, other), std::max(one, other));
    return of_weight_(n) - (family_.prior().eta0 + n) / 2.0 * (log_det + prior_.log_of_scales);
  }

  // Whatever the range of numbers. The order of the two is fixed, since sums round.
  [[nodiscard]] double careful_log_det(std::size_t first, std::size_t second) const {
    const std::size_t d = prior_.n_columns();
    std::vector<double> both(family_.stats_size());
    std::vector<double> added(family_.stats_size());
    scatter_->statistics(first, both);
    scatter_->statistics(second, added);
    merge_centred<PackedSecond>(both, added, d);
    const auto [n, mean, scatter] = gaussian_parts(ConstStatsRef(both), d);
    const Eigen::VectorXd shift = as_vector(mean) - as_vector(prior_.m0);
    Eigen::MatrixXd b = unpack_symmetric(prior_.b0, d) + unpack_symmetric(scatter, d);
    b.noalias() += (n * prior_.xi0 / (prior_.xi0 + n)) * shift * shift.transpose();
    return log_det(factorize(b, "the scatter matrix of a cluster"));
  }

  Gaussian family_;
  ScaledWishart prior_;
  ByWeight of_weight_;
  std::vector<double> weights_;
  std::vector<double> alone_;
  std::unique_ptr<MergedScatter> scatter_;
};

}  // namespace

std::unique_ptr<MergedEvidence> Gaussian::merged_evidence(StatsArena stats) const {
  return std::make_unique<GaussianMerges>(*this, log_det_b0_, stats);
}

}  // namespace coppice
