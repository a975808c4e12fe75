// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows grouped by a cluster of theirs, in increasing order within each group, and cut into blocks that one thread takes
// at a time. Time and memory in proportion to rows and clusters.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice::internal {

// Entries of a list that stand in a group.
struct GroupBlock {
  std::size_t group = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

class Groups {
 public:
  // Entry i is in group_of[i].
  Groups(std::span<const std::uint32_t> group_of, std::size_t n_groups);

  // The entries, group by group.
  [[nodiscard]] std::span<const std::size_t> entries() const noexcept { return entries_; }
  [[nodiscard]] std::span<const std::size_t> of(std::size_t group) const noexcept {
    return std::span(entries_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }
  // No longer than this, none empty. Their first and last are places in entries().
  [[nodiscard]] std::vector<GroupBlock> blocks(std::size_t most) const;

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> entries_;
};

}  // namespace coppice::internal
