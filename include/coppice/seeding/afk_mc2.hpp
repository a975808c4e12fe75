// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// AFK-MC2 (Bachem et al. 2016): k-means++ by Markov chains. The first centre c is drawn by weight and fixes a proposal
//
//   q(x) = d(x,c)^2 / (2 sum d^2) + 1 / (2 n)        (copies counted: a weight w is w of them)
//
// for all chains. Every further centre is the end of a chain whose moves, proposed by q, approach the D^2 law. After
// a few passes over the rows to set up q, the cost no longer depends on their number.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/random.hpp"
#include "coppice/seeding/scaled_rows.hpp"

namespace coppice::internal {

// Row numbers of at most k centres by chains of `chain_length` states (OptionError if 0). A chain may end at a row that
// is at distance 0 from a centre, which has no use as another; the centre is then drawn by the D^2 law itself, at the
// cost of the passes that k-means++ would have made until there. So there are fewer than k only if every row with
// weight is at distance 0 from a centre.
[[nodiscard]] std::vector<std::size_t> afk_mc2_rows(const Execution& execution, const ScaledRows& rows, std::size_t k,
                                                    std::size_t chain_length, RandomStream& random);

// The probability with which q proposes each row, given the row of the first centre.
[[nodiscard]] std::vector<double> afk_proposal(const Execution& execution, const Rows& rows, std::size_t first);

// A state of a chain: its squared distance from the nearest centre and its proposal, up to constant factors. Weights
// cancel in a move: both numbers with the weight, or both without.
struct ChainState {
  double squared = 0.0;
  double proposal = 0.0;
};

// The probability of a proposed move: 1 if the present state is a centre.
[[nodiscard]] double acceptance(const ChainState& from, const ChainState& to) noexcept;

// The law of the last of `chain_length` states, given all possible ones (proposals that add up to 1).
[[nodiscard]] std::vector<double> chain_law(std::span<const ChainState> states, std::size_t chain_length);

}  // namespace coppice::internal
