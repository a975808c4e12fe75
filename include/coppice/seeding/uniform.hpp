// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Centres drawn by weight alone, no two of them equal.

#include <cstddef>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// Row numbers of at most k centres, one draw after the other among the contents not drawn yet: fewer than k only if
// there are fewer different rows with weight.
[[nodiscard]] std::vector<std::size_t> uniform_rows(const Execution& execution, const Rows& rows, std::size_t k,
                                                    RandomStream& random);

}  // namespace coppice::internal
