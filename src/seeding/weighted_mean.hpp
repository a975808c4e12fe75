// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "seeding/seeding_table.hpp"

namespace coppice::internal {

// The weighted mean of the rows, as SeedingTable::copy_point() gives them, from sums of whole numbers: the same bits
// for shuffled rows, for copies instead of weights and for any number of threads. Good to some 2^-40 of a column's
// range.
[[nodiscard]] std::vector<double> weighted_mean(const Execution& execution, const SeedingTable& table);

}  // namespace coppice::internal
