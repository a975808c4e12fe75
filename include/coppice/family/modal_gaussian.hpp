// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters of any shape at the mode of their posterior: a point estimate under a Normal-Wishart prior (legend
// in gaussian.hpp). Of the density over mean and precision, with the posterior's xi, m, eta and B,
//
//   mean = m,   precision = (eta - D) B^-1,
//
// so that neither few rows nor a column without spread make a covariance singular ([L] Eqs. 3 and 4). The cost of a row
// is minus its log density there; what a cluster adds to the objective beside it is minus the log density of its
// parameters under the prior, complete. Densities of parameters have units: objectives compare between clusterings of
// one number of clusters under one prior.
//
// Statistics and everything else as of PointGaussian.

#include <span>
#include <string_view>
#include <vector>

#include "coppice/family/gaussian.hpp"
#include "coppice/family/point_gaussian.hpp"

namespace coppice::internal {

class ModalGaussian : public PointGaussian {
 public:
  // OptionError as of Gaussian. Neither rounding nor multiples of B0.
  explicit ModalGaussian(NormalWishart prior);

  [[nodiscard]] std::string_view name() const noexcept { return "modal-gaussian"; }
  [[nodiscard]] const NormalWishart& prior() const noexcept { return prior_; }

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] std::vector<double> covariance(ConstStatsRef stats) const;  // D x D, row by row
  // The summed log density of the rows behind the statistics, at the parameters that these give, and of those.
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  // Minus the log density of the parameters under the prior.
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;
  // Of the mode.
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static ModalGaussian from_arrays(const NamedArrays& arrays);

 private:
  [[nodiscard]] std::vector<double> mode(ConstStatsRef stats) const;

  NormalWishart prior_;
  double log_normalizer_ = 0.0;  // of the prior's density over mean and precision
};

static_assert(BoxBounded<ModalGaussian> && FindsNearest<ModalGaussian>);

}  // namespace coppice::internal
