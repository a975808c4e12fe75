// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where variational inference with so many components starts (Blei and Jordan 2006, section 5): rows come one by one,
// in random order, share themselves out among the components as these are by then, and change them. So do leaves of a
// tree where these are the units.

#include <cstdint>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// The order goes by the rows' content, seed and stream.
[[nodiscard]] StatsArena incremental_start(const Execution& execution, const Problem& problem, std::size_t k,
                                           std::uint64_t seed, std::uint64_t stream);

}  // namespace coppice::internal
