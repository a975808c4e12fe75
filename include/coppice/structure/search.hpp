// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a search for clusters is bounded; shared by all searches.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// With more, what takes time in proportion to their square is left out: starts from below, which have to split their
// way up, and moves that try one pair after the other over all rows.
inline constexpr std::size_t many_clusters = 100;

struct SearchLimits {
  std::optional<std::size_t> k = {};                            // exactly this many clusters
  std::size_t max_k = std::numeric_limits<std::size_t>::max();  // never more than this
  double min_size = 0.0;                                        // no cluster lighter than this
  std::uint64_t seed = 0;
  std::uint64_t restart = 0;                 // searches of other numbers draw other numbers
  std::span<const std::size_t> sample = {};  // units that heavy clusters draw from (content_sample); none: all
  bool moves_single_rows = false;            // sweeps are followed by exact moves of single rows (single_moves.hpp)
};

// What is kept of two states is the smaller: with a fixed K, other numbers of clusters come behind, such as those of a
// search that was stopped on its way, however low their objective.
[[nodiscard]] inline std::pair<bool, double> standing(const State& state, const std::optional<std::size_t>& k) {
  return {k && state.k() != *k, state.objective};
}

// Splits inside clusters, closed-form merges, and sweeps over everything, until nothing helps. The state is the best so
// far whenever Stopped is thrown.
void search_split_merge(MaximizationExpectation& me, State& state, const SearchLimits& limits);

// The search of the paper's box "Top-Down Bayesian K-Means" ([L] section 6): candidates ranked by the criteria of
// appendix D, one at a time, with sweeps over everything before each decision.
void search_paper(MaximizationExpectation& me, State& state, const SearchLimits& limits);

// Dissolves clusters lighter than min_size into their best partners. A constraint: the objective may rise.
void enforce_min_size(MaximizationExpectation& me, State& state, double min_size);

// Notes the objective of merging the final clusters down to one, so that every smaller K has some evidence.
void note_merge_path(MaximizationExpectation& me, const State& state);

// Gives the members of split.cluster whose side is 1 a new cluster of their own. The objective is recomputed.
struct Split;
void apply_split(const Execution& execution, const Problem& problem, const Split& split, const Subset& members,
                 State& state);

}  // namespace coppice::internal
