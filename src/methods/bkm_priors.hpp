// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the options of Bayesian k-means to the families that compete, with their priors.

#include <memory>
#include <string>
#include <vector>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/structure/adjustable_prior.hpp"
#include "coppice/structure/prior_rule.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice {

// Families of counts and bits: rows are taken as they are, dense or sparse.
[[nodiscard]] bool is_discrete(std::string_view family);

// Fewer than ten rows per column: what a cluster of any shape would need is not there.
[[nodiscard]] bool has_few_rows(const Dataset& data);

// The names of the families that the options and the data leave to compete.
[[nodiscard]] std::vector<std::string> competing_families(const BayesianKMeans& method, const Dataset& data);

// Whether clusters with heavy tails are tried, once those of the gaussian family have been found.
[[nodiscard]] bool tries_heavy_tails(const BayesianKMeans& method, const Dataset& data);

// OptionError if options do not fit the families, DataError if the data do not.
void check_priors(const BayesianKMeans& method, const std::vector<std::string>& families, const Dataset& data);

// The published rule for gaussian clusters, where numbers are not given by hand.
[[nodiscard]] std::unique_ptr<AdjustablePrior> paper_gaussian(const Execution& execution, const Rows& rows,
                                                              const BayesianKMeans& method, PaperRule rule);

// Whether clusters are searched for, or joined from single rows on. In a search, Gaussian clusters of any shape may
// vary in scale (NormalWishart::multiples), which fast merges do not know. In a tree, fitted priors of counts and bits
// are centred on the columns' rates: they decide what the first merges join. (A search finds a lower objective under
// them, too, but more clusters: its labels come no closer to known classes.)
// And if there are few rows for columns that vary alike, Gaussian priors of a tree are the same along all axes.
enum class PriorUse : std::uint8_t { search, tree };

// Their priors, in the order in which they should be searched: what is likely to win comes first, since the others can
// then be given up early. The paper's rule builds a tree over the rows if it is not given one.
[[nodiscard]] std::vector<std::unique_ptr<AdjustablePrior>> make_priors(const Execution& execution, const Rows& rows,
                                                                        const BayesianKMeans& method,
                                                                        const std::vector<std::string>& families,
                                                                        PriorUse use = PriorUse::search);

[[nodiscard]] std::unique_ptr<PartitionPrior> partition_of(const BayesianKMeans& method, const std::string& family);

}  // namespace coppice
