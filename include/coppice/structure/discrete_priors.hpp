// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors of the families for counts and for yes/no answers in one number, the pseudo-count of a column (multinomial:
// psi0) or of an answer (bernoulli: omega0). Symmetric, all columns have the same. Centred, the number is a mean, and
// the columns share it out by their rates p_d over all rows:
//
//   multinomial   psi0_d = psi0 D p_d
//   bernoulli     2 omega0 p_d for the ones of column d, 2 omega0 (1 - p_d) for its zeros
//
// A cluster of a row or two then expects of every column what the data have of it, and rare ones tell more.

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/ordered_sum.hpp"
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice::internal {

// Symmetric: to be fitted, or as given. `total` as in Multinomial.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_multinomial_prior(std::size_t n_columns, std::optional<double> psi0,
                                                                      std::optional<double> total);
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_bernoulli_prior(std::size_t n_columns,
                                                                    std::optional<double> omega0);

// Centred on the rates, to be fitted.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_centred_multinomial_prior(std::vector<double> rates,
                                                                              std::optional<double> total);
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_centred_bernoulli_prior(std::vector<double> rates);

// Shares of the columns in all counts, and shares of ones, by weight. Half a count more for either possibility keeps
// them off 0 and 1, where a prior would rule out what the rows at hand happen not to have.
[[nodiscard]] std::vector<double> count_rates(const Execution& execution, const Rows& rows);
[[nodiscard]] std::vector<double> bit_rates(const Execution& execution, const Rows& rows);

}  // namespace coppice::internal
