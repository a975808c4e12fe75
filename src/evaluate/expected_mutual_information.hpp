// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The mutual information that two labelings with these group sizes have on average when one of them is shuffled.

#include <cstddef>
#include <span>

namespace coppice::evaluate {

// Both lists of sizes sum to n_rows. Groups of equal size are counted once, so the cost depends on the number of
// different sizes (at most about sqrt(2 n_rows)), not on the number of groups.
[[nodiscard]] double expected_mutual_information(std::span<const std::size_t> sizes,
                                                 std::span<const std::size_t> truth_sizes, std::size_t n_rows);

}  // namespace coppice::evaluate
