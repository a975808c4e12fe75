// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The parameters behind generate(SeparatedGaussians), before any row is drawn.

#include "data/generate/gaussian_clusters.hpp"

namespace coppice::internal {

// F_k = Q diag(sqrt(lambda)): its columns are orthogonal, their squared lengths the eigenvalues of the covariance.
[[nodiscard]] GaussianClusters draw_clusters(const SeparatedGaussians& options);

}  // namespace coppice::internal
