// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rows with weight in content order (row_draw.hpp), copies next to one another: the order in which laws are written
// down that must not know the order of the file. 8 bytes per row.

#include <cstddef>
#include <span>
#include <vector>

#include "seeding/seeding_table.hpp"

namespace coppice::internal {

inline constexpr std::size_t n_content_buckets = 65536;

class ContentOrder {
 public:
  ContentOrder(const Execution& execution, const SeedingTable& table);

  [[nodiscard]] std::span<const std::size_t> rows() const noexcept { return rows_; }
  // Where a bucket's rows begin; that of n_content_buckets is the end.
  [[nodiscard]] std::size_t begin(std::size_t bucket) const noexcept { return begins_[bucket]; }

 private:
  void deal(const SeedingTable& table);
  void sort_buckets(const Execution& execution, const SeedingTable& table);

  std::vector<std::size_t> begins_;
  std::vector<std::size_t> rows_;
};

}  // namespace coppice::internal
