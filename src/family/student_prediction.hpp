// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How probable a new row is in a Student-t cluster of nu degrees of freedom whose parameters are known no better than
// by their posterior: the density of the cluster's kind, widened by the row's own factor u ~ Gamma(nu / 2, nu / 2).
//
// With one precision for all columns, or one matrix, the kind's density is itself a Student t, of `own` degrees of
// freedom. Both widen alike, and are taken for one Student t of 1 / (1 / nu + 1 / own): exact where either is large.
// Columns that are independent given u are a product of Student t densities, whose mean over u is a sum.

#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/spherical.hpp"

namespace coppice::internal {

// out[row] for every row of the panel, and up to 15 meaningless values behind the last one
void log_prediction(const Gaussian& kind, const WishartPosterior& q, double nu, const kernels::PanelView& panel,
                    double* out);
void log_prediction(const SphericalGaussian& kind, const SphericalPosterior& q, double nu,
                    const kernels::PanelView& panel, double* out);
void log_prediction(const DiagonalGaussian& kind, const DiagonalPosterior& q, double nu,
                    const kernels::PanelView& panel, double* out);

// log of what these densities add up to: one, but for columns that pay for their rounding one by one.
template <class Kind>
[[nodiscard]] double log_prediction_mass(const Kind& /*kind*/, const typename Kind::Posterior& /*q*/) {
  return 0.0;
}
[[nodiscard]] inline double log_prediction_mass(const DiagonalGaussian& kind, const DiagonalPosterior& q) {
  return kind.log_mass(q);
}

// Their bounds over boxes: nothing for columns that are independent given u.
[[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(const Gaussian& kind,
                                                                  std::span<const WishartPosterior* const> clusters,
                                                                  double nu);
[[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(const SphericalGaussian& kind,
                                                                  std::span<const SphericalPosterior* const> clusters,
                                                                  double nu);
[[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(const DiagonalGaussian& kind,
                                                                  std::span<const DiagonalPosterior* const> clusters,
                                                                  double nu);

// New rows from these densities.
[[nodiscard]] std::unique_ptr<RowSampler> prediction_sampler(const Gaussian& kind,
                                                             std::span<const WishartPosterior* const> clusters,
                                                             double nu);
[[nodiscard]] std::unique_ptr<RowSampler> prediction_sampler(const SphericalGaussian& kind,
                                                             std::span<const SphericalPosterior* const> clusters,
                                                             double nu);
[[nodiscard]] std::unique_ptr<RowSampler> prediction_sampler(const DiagonalGaussian& kind,
                                                             std::span<const DiagonalPosterior* const> clusters,
                                                             double nu);

}  // namespace coppice::internal
