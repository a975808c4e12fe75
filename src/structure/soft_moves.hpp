// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Splits, merges and redivisions of clusters that share rows, judged by the rows of which they have a share. All other
// clusters keep their shares meanwhile, so that the change of the bound is that of these rows alone; once the others
// move, too, the bound is lower still.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "coppice/infer/shared_rows.hpp"
#include "coppice/infer/soft_bound.hpp"
#include "coppice/structure/search.hpp"

namespace coppice::internal {

// Cluster `first` alone is split; two are merged, or divided anew.
struct SoftMove {
  std::size_t first = 0;
  std::optional<std::size_t> second = {};
  StatsArena result;  // two clusters, or one
  double gain = 0.0;  // change of the bound, negative is good

  [[nodiscard]] bool is_split() const noexcept { return !second; }
  [[nodiscard]] bool is_merge() const noexcept { return second && result.size() == 1; }
  [[nodiscard]] bool is_redivision() const noexcept { return second && result.size() == 2; }
};

// One split of every cluster, unless there may be no more, and the merges of near pairs: the best first. `stream`
// numbers the rounds of a search.
[[nodiscard]] std::vector<SoftMove> find_soft_moves(const Execution& execution, const Problem& problem,
                                                    const StatsArena& clusters, const SearchLimits& limits,
                                                    std::uint64_t stream);
// Near pairs merged and split anew: the best first.
[[nodiscard]] std::vector<SoftMove> find_soft_redivisions(const Execution& execution, const Problem& problem,
                                                          const StatsArena& clusters, const SearchLimits& limits,
                                                          std::uint64_t stream);
// Those that lower the bound by more than `least_gain`.
[[nodiscard]] std::vector<SoftMove> improving(std::vector<SoftMove> moves, double least_gain);

// The clusters after a move.
[[nodiscard]] StatsArena after_move(const StatsArena& clusters, const SoftMove& move);

}  // namespace coppice::internal
