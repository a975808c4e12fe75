// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged Gaussian clusters (log_det_merges.hpp).
#include <vector>

#include "coppice/family/gaussian.hpp"
#include "family/centred_moments.hpp"
#include "family/log_det_merges.hpp"
#include "family/merged_scatter.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

class GaussianLogDets final : public MergedLogDets {
 public:
  GaussianLogDets(const NormalWishart& prior, std::size_t n_clusters)
      : prior_(prior), scatter_(merged_scatter(prior_, n_clusters)) {}

  void set(std::size_t cluster, ConstStatsRef stats) override {
    std::vector<double> scaled(stats.size());
    prior_.scale_statistics(stats, scaled);
    scatter_->set(cluster, scaled);
  }
  void find(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const override {
    scatter_->log_dets(one, others, out);
  }
  [[nodiscard]] double find_carefully(std::size_t first, std::size_t second) const override {
    const std::size_t d = prior_.n_columns();
    std::vector<double> both(WishartFamily::stats_size(d));
    std::vector<double> added(both.size());
    scatter_->statistics(first, both);
    scatter_->statistics(second, added);
    merge_centred<PackedSecond>(both, added, d);
    const auto [n, mean, scatter] = gaussian_parts(ConstStatsRef(both), d);
    const Eigen::VectorXd shift = as_vector(mean) - as_vector(prior_.m0);
    Eigen::MatrixXd b = unpack_symmetric(prior_.b0, d) + unpack_symmetric(scatter, d);
    b.noalias() += (n * prior_.xi0 / (prior_.xi0 + n)) * shift * shift.transpose();
    return log_det(factorize(b, "the scatter matrix of a cluster"));
  }
  [[nodiscard]] double offset() const override { return prior_.log_of_scales; }

 private:
  ScaledWishart prior_;
  std::unique_ptr<MergedScatter> scatter_;
};

}  // namespace

std::unique_ptr<MergedEvidence> Gaussian::merged_evidence(const StatsArena& stats) const {
  // Each pair would have to find a multiple of its own: that is no log determinant any more.
  if (!prior_.multiples.empty()) return nullptr;
  const auto of_weight = [evidence = evidence_](double n) { return evidence.of_any_multiple({n, n}); };
  const auto of_cluster = [family = *this](ConstStatsRef cluster) { return family.log_evidence(cluster); };
  return log_det_merges({of_weight, of_cluster, prior_.eta0, 1.0},
                        std::make_unique<GaussianLogDets>(prior_, stats.size()), stats);
}

}  // namespace coppice::internal
