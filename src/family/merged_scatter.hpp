// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The determinants that the evidence of merged Gaussian clusters asks for (gaussian_merges.cpp). All numbers are in
// columns scaled by powers of two, such that B0 has a diagonal between 1 and 4: no bit is lost, and determinants stay
// within range.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/gaussian.hpp"
#include "coppice/kernels/cluster_arrays.hpp"
#include "family/log_det_merges.hpp"

namespace coppice::internal {

struct ScaledWishart {
  explicit ScaledWishart(const NormalWishart& prior);

  [[nodiscard]] std::size_t n_columns() const noexcept { return scale.size(); }
  // The statistics in scaled columns, with what rounding hides as part of the scatter.
  void scale_statistics(ConstStatsRef stats, StatsRef out) const;

  std::vector<double> scale;
  double log_of_scales = 0.0;  // log |B| = log |scaled B| + log_of_scales
  double xi0 = 0.0;
  std::vector<double> m0;
  std::vector<double> b0;  // lower triangle
  std::vector<double> rounding;
};

class MergedScatter {
 public:
  MergedScatter() = default;
  MergedScatter(const MergedScatter&) = delete;
  MergedScatter& operator=(const MergedScatter&) = delete;
  virtual ~MergedScatter() = default;

  virtual void set(std::size_t cluster, ConstStatsRef scaled) = 0;
  // out[i] = log |B| of `one` and others[i] (most_pairs at most) as one cluster, or NaN if numbers get too large or too
  // small for a quick answer.
  virtual void log_dets(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const = 0;
  // What was set.
  virtual void statistics(std::size_t cluster, StatsRef scaled) const = 0;
};

// The best one for the number of columns. Keep the prior while it is in use.
[[nodiscard]] std::unique_ptr<MergedScatter> merged_scatter(const ScaledWishart& prior, std::size_t n_clusters);
[[nodiscard]] std::unique_ptr<MergedScatter> many_column_scatter(const ScaledWishart& prior, std::size_t n_clusters);

}  // namespace coppice::internal
