// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// k-means++ (Arthur and Vassilvitskii 2007): the first centre is drawn by weight, every further one by the D^2 law,
// weight times squared distance from the nearest centre chosen so far. The greedy variant draws several candidates per
// step and keeps the one that leaves the least sum of weighted squared distances.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/random.hpp"
#include "coppice/seeding/scaled_rows.hpp"

namespace coppice::internal {

// 2 + floor(ln k): what the greedy variant takes unless told otherwise.
[[nodiscard]] std::size_t default_candidates(std::size_t k) noexcept;

// Row numbers of at most k centres: fewer only if every row with weight is at distance 0 from one of them. Candidates
// per step: 1 is the plain rule, 0 the default number. Two passes over the rows per centre, one if plain.
[[nodiscard]] std::vector<std::size_t> kmeanspp_rows(const Execution& execution, const ScaledRows& rows, std::size_t k,
                                                     std::size_t candidates, RandomStream& random);

// The probability of every row to be drawn next, given the rows chosen so far; all zero if nobody is away from them.
[[nodiscard]] std::vector<double> squared_distance_law(const Execution& execution, const Rows& rows,
                                                       std::span<const std::size_t> chosen);

}  // namespace coppice::internal
