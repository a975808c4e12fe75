// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fits the numbers of a prior to clusters whose members stay as they are. Every value of the objective is a complete
// -log p(data, labels | prior), so that it is one more coordinate to descend along: the objective never rises.

#include <span>
#include <vector>

#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/ordered_sum.hpp"
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice::internal {

struct FittedPrior {
  std::vector<double> values;
  double gain = 0.0;  // by how much the objective has fallen, at least 0
};

// Whether it gains enough for the search to go on under the new prior: half a nat, and with many rows 10^-5 of a nat
// for every value in the table.
[[nodiscard]] bool is_worth_it(const FittedPrior& fitted, double total_weight, std::size_t n_columns);

// From the given values on: cyclic bounded line searches on the logarithms of the numbers. `at_prior` are statistics of
// what belongs to no cluster yet but to the prior itself, the tail of an infinite mixture; nothing: there is none.
[[nodiscard]] FittedPrior fit_prior(const Execution& execution, const AdjustablePrior& prior,
                                    std::vector<double> values, const StatsArena& clusters,
                                    std::span<const double> at_prior = {});

}  // namespace coppice::internal
