// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The table as the Bayesian methods cluster it.

#include "coppice/data/rows.hpp"
#include "coppice/data/transform.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"

namespace coppice {

// Without the columns that a fitted prior must not see, and how it came about.
[[nodiscard]] FittedTransforms ready_table(const Execution& execution, const Dataset& data,
                                           const BayesianKMeans& method);
// Counts and bits as they are, other numbers less an origin.
[[nodiscard]] Rows ready_rows(const Execution& execution, const Dataset& data, const BayesianKMeans& method);

}  // namespace coppice
