// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged clusters without correlations (log_det_merges.hpp): B is a diagonal, or a single number.
#include <cmath>
#include <numeric>
#include <vector>

#include "coppice/family/diagonal.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/family/unit_scale.hpp"
#include "coppice/kernels/merge_axes.hpp"
#include "coppice/kernels/special.hpp"
#include "family/log_constants.hpp"
#include "family/log_det_merges.hpp"

namespace coppice::internal {

namespace {

// The prior in columns scaled by powers of two, such that b0 lies between 1 and 4.
struct ScaledNormalGamma {
  explicit ScaledNormalGamma(const NormalGamma& prior) : xi0(prior.xi0), m0(prior.m0), b0(prior.b0) {
    for (double& b : b0) {
      scale.push_back(unit_scale(b));
      log_of_scales -= 2.0 * std::log(scale.back());
      b *= scale.back() * scale.back();
    }
    for (std::size_t i = 0; i < m0.size(); ++i) {
      m0[i] *= scale_of(i);
      rounding.push_back(prior.rounding.empty() ? 0.0 : prior.rounding[i] * scale_of(i) * scale_of(i));
    }
  }
  [[nodiscard]] double scale_of(std::size_t column) const { return scale.size() == 1 ? scale[0] : scale[column]; }
  // The scatter of a column with what rounding hides.
  [[nodiscard]] double square(ConstStatsRef stats, std::size_t column) const {
    return stats[1 + m0.size() + column] * scale_of(column) * scale_of(column) + stats[0] * rounding[column];
  }
  [[nodiscard]] kernels::AxisMergePrior view() const { return {xi0, m0, b0}; }

  double xi0;
  std::vector<double> m0;
  std::vector<double> b0;
  std::vector<double> scale;  // as many as b0
  std::vector<double> rounding;
  double log_of_scales = 0.0;
};

class AxisLogDets : public MergedLogDets {
 public:
  AxisLogDets(const NormalGamma& prior, std::size_t n_clusters)
      : prior_(prior), clusters_(n_clusters, 1 + prior.m0.size() + prior.b0.size()) {}

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const std::size_t d = prior_.m0.size();
    clusters_.entry(0)[cluster] = stats[0];
    // Powers of two: scaling changes no bit.
    for (std::size_t i = 0; i < d; ++i) clusters_.entry(1 + i)[cluster] = stats[1 + i] * prior_.scale_of(i);
    // With one scale for all columns, their scatter adds up in a single entry.
    for (std::size_t i = 0; i < prior_.b0.size(); ++i) clusters_.entry(1 + d + i)[cluster] = 0.0;
    for (std::size_t i = 0; i < d; ++i) clusters_.entry(scatter_entry(i))[cluster] += prior_.square(stats, i);
  }
  [[nodiscard]] double offset() const override { return prior_.log_of_scales; }

 protected:
  [[nodiscard]] std::size_t scatter_entry(std::size_t column) const {
    return 1 + prior_.m0.size() + (prior_.b0.size() == 1 ? 0 : column);
  }
  [[nodiscard]] double scatter(std::size_t column, std::size_t first, std::size_t second) const {
    return clusters_.at(scatter_entry(column), first) + clusters_.at(scatter_entry(column), second);
  }
  // What the means of both add to a column's scatter.
  [[nodiscard]] double spread(std::size_t column, std::size_t first, std::size_t second) const {
    const double n_a = clusters_.at(0, first);
    const double n_b = clusters_.at(0, second);
    const double n = n_a + n_b;
    const double x_a = clusters_.at(1 + column, first);
    const double x_b = clusters_.at(1 + column, second);
    const double v = (n_a * x_a + n_b * x_b) / n - prior_.m0[column];
    return n_a * n_b / n * (x_b - x_a) * (x_b - x_a) + n * prior_.xi0 / (n + prior_.xi0) * v * v;
  }

  ScaledNormalGamma prior_;
  kernels::ClusterArrays clusters_;
};

class DiagonalLogDets final : public AxisLogDets {
 public:
  using AxisLogDets::AxisLogDets;

  void find(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const override {
    kernels::merged_axis_log_dets(prior_.view(), clusters_, one, others, out);
  }
  [[nodiscard]] double find_carefully(std::size_t first, std::size_t second) const override {
    // Column by column: no product that could leave the range.
    double sum = 0.0;
    for (std::size_t i = 0; i < prior_.m0.size(); ++i) {
      sum += std::log(prior_.b0[i] + scatter(i, first, second) + spread(i, first, second));
    }
    return sum;
  }
};

class SphericalLogDets final : public AxisLogDets {
 public:
  using AxisLogDets::AxisLogDets;

  void find(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const override {
    kernels::merged_round_logs(prior_.view(), clusters_, one, others, out);
  }
  [[nodiscard]] double find_carefully(std::size_t first, std::size_t second) const override {
    double b = prior_.b0[0] + scatter(0, first, second);
    for (std::size_t i = 0; i < prior_.m0.size(); ++i) b += spread(i, first, second);
    return std::log(b);
  }
};

}  // namespace

std::unique_ptr<MergedEvidence> DiagonalGaussian::merged_evidence(const StatsArena& stats) const {
  double of_prior = -static_cast<double>(n_columns()) * kernels::log_gamma(prior_.eta0 / 2.0);
  for (const double b : prior_.b0) of_prior += prior_.eta0 / 2.0 * std::log(b);
  const auto of_weight = [d = static_cast<double>(n_columns()), xi0 = prior_.xi0, eta0 = prior_.eta0,
                          of_prior](double n) {
    return d * (-n / 2.0 * log_pi + std::log(xi0 / (xi0 + n)) / 2.0 + kernels::log_gamma((eta0 + n) / 2.0)) + of_prior;
  };
  const auto of_cluster = [family = *this](ConstStatsRef cluster) { return family.log_evidence(cluster); };
  return log_det_merges({of_weight, of_cluster, prior_.eta0, 1.0},
                        std::make_unique<DiagonalLogDets>(prior_, stats.size()), stats);
}

std::unique_ptr<MergedEvidence> SphericalGaussian::merged_evidence(const StatsArena& stats) const {
  const auto d = static_cast<double>(n_columns());
  const double of_prior = prior_.eta0 / 2.0 * std::log(prior_.b0[0]) - kernels::log_gamma(prior_.eta0 / 2.0);
  const auto of_weight = [d, xi0 = prior_.xi0, eta0 = prior_.eta0, of_prior](double n) {
    return d * (-n / 2.0 * log_pi + std::log(xi0 / (xi0 + n)) / 2.0) + kernels::log_gamma((eta0 + n * d) / 2.0) +
           of_prior;
  };
  const auto of_cluster = [family = *this](ConstStatsRef cluster) { return family.log_evidence(cluster); };
  return log_det_merges({of_weight, of_cluster, prior_.eta0, d},
                        std::make_unique<SphericalLogDets>(prior_, stats.size()), stats);
}

}  // namespace coppice::internal
