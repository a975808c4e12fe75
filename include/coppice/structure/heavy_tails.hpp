// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From Gaussian clusters of any kind to fewer ones with heavy tails. A cluster with heavier tails than a Gaussian has a
// lower objective as a core and a halo; as one Student-t cluster it is lower still. So what Gaussian clusters have cut
// into pieces is taken as pieces of Student-t clusters and merged as long as that helps. Whether the tails are heavy at
// all is then seen by comparing the two objectives.

#include <optional>

#include "coppice/structure/auto_search.hpp"

namespace coppice::internal {

// The best Student-t clusters that merges, sweeps and fits of the prior lead to, from clusters of their Gaussian kind
// in the same rows. `leader` is the lowest objective of families without tails: a search that is far behind and slow to
// catch up is given up, and nothing is found if the objective is clearly higher than that of the kind. Without a leader
// they are asked for. `student` has the numbers of the kind's prior and one more, the degrees of freedom
// (gaussian_priors.hpp). If stopped before there are any clusters, throws Stopped; later, Found says why it ended.
[[nodiscard]] std::optional<Found> find_heavy_tails(MaximizationExpectation& me, const SearchGround& ground,
                                                    const AdjustablePrior& student, const Found& gaussian,
                                                    const AutoSearchOptions& options, std::optional<double> leader);

}  // namespace coppice::internal
