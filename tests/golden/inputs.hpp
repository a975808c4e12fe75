// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The library's objects out of a case's inputs, and results back into JSON.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/components.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/uninformative.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "kinds.hpp"

namespace coppice::golden {

// Rows of a matrix given as a list of lists, with a zero origin; `weights` may be null.
[[nodiscard]] Rows to_rows(const Json& matrix, const Json& weights = nullptr);
[[nodiscard]] std::vector<double> to_values(const Json& list_or_matrix);  // row by row

// NotBuilt for the families that do not exist.
[[nodiscard]] internal::Gaussian to_gaussian(const Json& family);
[[nodiscard]] internal::UninformativeGaussian to_uninformative(const Json& family);
[[nodiscard]] internal::Multinomial to_multinomial(const Json& family);
[[nodiscard]] internal::Bernoulli to_bernoulli(const Json& family);
[[nodiscard]] std::unique_ptr<Components> to_components(const Json& family);
[[nodiscard]] std::unique_ptr<PartitionPrior> to_partition(const Json& prior);

// What the cases tell of a posterior, by the names of their symbols. NotBuilt for other families than those of the
// cases.
[[nodiscard]] Json posterior_of(const Json& family, ConstStatsRef stats);

// n_columns numbers per row.
[[nodiscard]] Json to_matrix(std::span<const double> row_by_row, std::size_t n_columns);

}  // namespace coppice::golden
