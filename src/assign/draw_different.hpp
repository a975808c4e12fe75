// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// Draws numbers below n until there are so many different ones in `some`, in increasing order. Of few among many: each
// is drawn again until it is new.
inline void draw_different(std::size_t n_wanted, std::size_t n, RandomStream& random,
                           std::vector<std::uint32_t>& some) {
  while (some.size() < n_wanted) {
    const auto drawn = static_cast<std::uint32_t>(random.below(n));
    const auto place = std::ranges::lower_bound(some, drawn);
    if (place == some.end() || *place != drawn) some.insert(place, drawn);
  }
}

}  // namespace coppice::internal
