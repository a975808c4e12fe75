// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a fit counted. A distance is one evaluation of one unit (row or node) against one cluster, in sweeps and in the
// structure search; seeding, prior rules and the final probabilities are not counted.

#include <cstdint>

namespace coppice {

struct Counters {
  std::uint64_t distances = 0;
  std::uint64_t nodes_visited = 0;
  std::uint64_t splits_tried = 0;
  std::uint64_t splits_accepted = 0;
  std::uint64_t merges_tried = 0;
  std::uint64_t merges_accepted = 0;
  bool operator==(const Counters&) const = default;
};

}  // namespace coppice
