// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters at their likeliest parameters, by the words of the option `family`.

#include <cstddef>
#include <memory>
#include <string_view>

#include "coppice/data/rows.hpp"
#include "coppice/family/components.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

// `floor` is the share of every column's variance that clusters keep at least. A constant column varies as much as the
// others do on average, or by 1: it then has the same density in every row.
[[nodiscard]] std::unique_ptr<Components> point_clusters(const Execution& execution, const Rows& rows,
                                                         std::string_view family, double floor);

// Columns count here if they vary (n_varying_columns): a constant one has nothing to be fitted, whatever the clusters.
[[nodiscard]] double numbers_in_covariance(std::string_view family, std::size_t n_varying);
// p, where every cluster has a covariance and a share of its own: K D + (numbers of the covariances) + K - 1.
[[nodiscard]] double bic_parameters(std::string_view family, std::size_t n_varying, std::size_t k);
// The same, cluster by cluster.
[[nodiscard]] ClusterParameters parameters_of_clusters(std::string_view family, std::size_t n_varying);

}  // namespace coppice::internal
