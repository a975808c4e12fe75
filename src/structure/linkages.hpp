// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One function per way to find the merges of chosen rows, all of positive weight. Leaves are numbered as they are
// chosen.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coppice/structure/linkage.hpp"
#include "structure/tree_of_merges.hpp"

namespace coppice::internal {

// Hears of the pairs so far.
using PairObserver = std::function<void(std::span<const JoinedPair>)>;

struct LinkageTask {
  const Execution& execution;
  const Rows& rows;
  std::span<const std::uint32_t> chosen;
  const PairObserver& observer;
};

struct FoundPairs {
  std::vector<JoinedPair> pairs;
  std::uint64_t distances = 0;
};

[[nodiscard]] FoundPairs single_pairs(const LinkageTask& task);
[[nodiscard]] FoundPairs ward_pairs(const LinkageTask& task);
// Complete or average linkage.
[[nodiscard]] FoundPairs matrix_pairs(const LinkageTask& task, Linkage kind);

}  // namespace coppice::internal
