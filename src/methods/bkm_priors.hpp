// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the options of Bayesian k-means to the families that compete, with their priors.

#include <memory>
#include <string>
#include <vector>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice {

// Families of counts and bits: rows are taken as they are, dense or sparse.
[[nodiscard]] bool is_discrete(std::string_view family);

// The names of the families that the options and the data leave to compete.
[[nodiscard]] std::vector<std::string> competing_families(const BayesianKMeans& method, const Dataset& data);

// Whether clusters with heavy tails are tried, once those of the gaussian family have been found.
[[nodiscard]] bool tries_heavy_tails(const BayesianKMeans& method, const Dataset& data);

// OptionError if options do not fit the families, DataError if the data do not.
void check_priors(const BayesianKMeans& method, const std::vector<std::string>& families, const Dataset& data);

// Their priors, in the order in which they should be searched: what is likely to win comes first, since the others can
// then be given up early. The paper's rule builds a tree over the rows if it is not given one.
[[nodiscard]] std::vector<std::unique_ptr<AdjustablePrior>> make_priors(const Execution& execution, const Rows& rows,
                                                                        const BayesianKMeans& method,
                                                                        const std::vector<std::string>& families,
                                                                        PriorUse use = PriorUse::search);

[[nodiscard]] std::unique_ptr<PartitionPrior> partition_of(const BayesianKMeans& method, const std::string& family);

}  // namespace coppice
