// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows to start clustering from. Whatever the rule, the centres depend on the rows' contents and on the random stream
// alone: not on the order of the rows, the number of threads or the instruction set; a row of whole weight w is as good
// as w copies of it, and a row of weight 0 is absent.
//
//   RandomStream random{seed, Purpose::seeding};
//   const auto chosen = seed_rows(execution, rows, 10, {.rule = SeedingRule::afk_mc2}, random);
//   const auto centres = copy_points(rows, chosen);   // chosen.size() x D, less the origin

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/random.hpp"
#include "coppice/seeding/scaled_rows.hpp"

namespace coppice::internal {

enum class SeedingRule : std::uint8_t { kmeanspp, afk_mc2, uniform, farthest };

struct SeedingOptions {
  SeedingRule rule = SeedingRule::kmeanspp;
  std::size_t candidates = 0;      // kmeanspp: rows tried per centre; 1 is the plain rule, 0 means 2 + floor(ln k)
  std::size_t chain_length = 200;  // afk_mc2: states of a chain, at least 1
};

// Row numbers of the k centres, in the order in which they were chosen. No two are alike: if the data has fewer
// different rows with weight than k, there are fewer centres, and the caller decides what to make of it. (All rules but
// `uniform` see rows less the origin, in double precision; rows that are at distance 0 there count as alike.)
[[nodiscard]] std::vector<std::size_t> seed_rows(const Execution& execution, const ScaledRows& rows, std::size_t k,
                                                 const SeedingOptions& options, RandomStream& random);

// Those rows less the origin, one after the other.
[[nodiscard]] std::vector<double> copy_points(const Rows& rows, std::span<const std::size_t> chosen);

}  // namespace coppice::internal
