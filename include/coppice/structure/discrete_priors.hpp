// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors of the families for counts and for yes/no answers in one number: the pseudo-count psi0 of every column
// (multinomial) or omega0 of either answer (bernoulli).

#include <cstddef>
#include <memory>
#include <optional>

#include "coppice/structure/adjustable_prior.hpp"

namespace coppice {

// To be fitted, or as given. `total` as in Multinomial.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_multinomial_prior(std::size_t n_columns, std::optional<double> psi0,
                                                                      std::optional<double> total);
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_bernoulli_prior(std::size_t n_columns,
                                                                    std::optional<double> omega0);

}  // namespace coppice
