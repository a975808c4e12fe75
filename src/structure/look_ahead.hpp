// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "structure/pair_gains.hpp"

namespace coppice::internal {

// Not the closest pair, but the one whose merge, with the best that can follow it, gains most over `depth` merges in
// all. At every step the 8 closest pairs are followed up, so that one merge costs about 8^(depth - 1) looks through all
// pairs; their keys are kept, n (n + 1) / 2 numbers. Ties as in closest_pairs.hpp.
[[nodiscard]] std::unique_ptr<ClosestPairs> make_look_ahead_pairs(const Execution& execution, PairGains& gains,
                                                                  std::size_t n, std::size_t depth);

}  // namespace coppice::internal
