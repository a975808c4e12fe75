// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the options of agglomerative Bayesian clustering to the families that compete, with their priors: those of
// Bayesian k-means, but for the paper's rule, which is another one from the bottom up.

#include <memory>
#include <vector>

#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice {

// The same model, to be searched top-down.
[[nodiscard]] BayesianKMeans as_bayesian_kmeans(const AgglomerativeBayesian& method);

[[nodiscard]] std::vector<std::unique_ptr<AdjustablePrior>> abc_priors(const Execution& execution, const Rows& rows,
                                                                       const AgglomerativeBayesian& method);

}  // namespace coppice
