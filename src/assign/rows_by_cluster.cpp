// SPDX-License-Identifier: BSD-3-Clause
#include "assign/rows_by_cluster.hpp"

#include <algorithm>

namespace coppice::internal {

// Counting sort; stable.
Groups::Groups(std::span<const std::uint32_t> group_of, std::size_t n_groups)
    : begin_(n_groups + 1, 0), entries_(group_of.size()) {
  for (const std::uint32_t group : group_of) ++begin_[group + 1];
  for (std::size_t group = 0; group < n_groups; ++group) begin_[group + 1] += begin_[group];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < group_of.size(); ++i) entries_[next[group_of[i]]++] = i;
}

std::vector<GroupBlock> Groups::blocks(std::size_t most) const {
  std::vector<GroupBlock> blocks;
  for (std::size_t group = 0; group + 1 < begin_.size(); ++group) {
    for (std::size_t first = begin_[group]; first < begin_[group + 1]; first += most) {
      blocks.push_back({group, first, std::min(first + most, begin_[group + 1])});
    }
  }
  return blocks;
}

}  // namespace coppice::internal
