// SPDX-License-Identifier: BSD-3-Clause
#include "family/merged_scatter.hpp"

#include <cmath>

#include "coppice/family/unit_scale.hpp"
#include "coppice/kernels/merge_few_columns.hpp"
#include "coppice/kernels/moments.hpp"

namespace coppice::internal {

namespace {

class FewColumnScatter final : public MergedScatter {
 public:
  FewColumnScatter(const ScaledWishart& prior, std::size_t n_clusters)
      : prior_(prior), clusters_(n_clusters, WishartFamily::stats_size(prior.n_columns())) {}

  void set(std::size_t cluster, ConstStatsRef scaled) override {
    for (std::size_t i = 0; i < scaled.size(); ++i) clusters_.entry(i)[cluster] = scaled[i];
  }
  void log_dets(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const override {
    kernels::merged_log_dets({prior_.xi0, prior_.m0, prior_.b0}, clusters_, one, others, out);
  }
  void statistics(std::size_t cluster, StatsRef scaled) const override {
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = clusters_.at(i, cluster);
  }

 private:
  const ScaledWishart& prior_;
  kernels::ClusterArrays clusters_;
};

}  // namespace

ScaledWishart::ScaledWishart(const NormalWishart& prior)
    : scale(prior.m0.size()),
      xi0(prior.xi0),
      m0(prior.m0.size()),
      b0(kernels::packed_size(prior.m0.size())),
      rounding(prior.m0.size(), 0.0) {
  const std::size_t d = scale.size();
  for (std::size_t i = 0; i < d; ++i) {
    // Powers of two: no digit is lost, and the terms of a determinant are of one size whatever the columns' units.
    scale[i] = unit_scale(prior.b0[i * d + i]);
    log_of_scales -= 2.0 * std::log(scale[i]);
    m0[i] = prior.m0[i] * scale[i];
    if (!prior.rounding.empty()) rounding[i] = prior.rounding[i] * scale[i] * scale[i];
    for (std::size_t j = 0; j <= i; ++j) b0[kernels::packed_index(i, j)] = prior.b0[i * d + j] * scale[i] * scale[j];
  }
}

void ScaledWishart::scale_statistics(ConstStatsRef stats, StatsRef out) const {
  const std::size_t d = n_columns();
  out[0] = stats[0];
  std::size_t entry = 1 + d;
  for (std::size_t i = 0; i < d; ++i) {
    out[1 + i] = stats[1 + i] * scale[i];
    for (std::size_t j = 0; j <= i; ++j, ++entry) out[entry] = stats[entry] * scale[i] * scale[j];
    // The diagonal: every row brings its rounding along.
    out[entry - 1] += stats[0] * rounding[i];
  }
}

std::unique_ptr<MergedScatter> merged_scatter(const ScaledWishart& prior, std::size_t n_clusters) {
  if (prior.n_columns() > kernels::most_columns_to_expand) return many_column_scatter(prior, n_clusters);
  return std::make_unique<FewColumnScatter>(prior, n_clusters);
}

}  // namespace coppice::internal
