// SPDX-License-Identifier: BSD-3-Clause
// A bucket sort by the first 16 bits of the hash, then each bucket by itself, side by side: O(N) and short sorts.

#include "seeding/content_order.hpp"

#include "coppice/runtime/for_each_task.hpp"
#include "seeding/content_sort.hpp"

namespace coppice::internal {

ContentOrder::ContentOrder(const Execution& execution, const SeedingTable& table)
    : begins_(n_content_buckets + 1, 0), rows_(table.n_present()) {
  deal(table);
  sort_buckets(execution, table);
}

void ContentOrder::deal(const SeedingTable& table) {
  const std::size_t n_rows = table.rows().size();
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (table.is_present(row)) ++begins_[table.bucket(row) + 1];
  }
  for (std::size_t bucket = 0; bucket < n_content_buckets; ++bucket) begins_[bucket + 1] += begins_[bucket];
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (table.is_present(row)) rows_[next[table.bucket(row)]++] = row;
  }
}

void ContentOrder::sort_buckets(const Execution& execution, const SeedingTable& table) {
  const Blocks blocks{.n_items = n_content_buckets, .items_per_block = 256};
  for_each_task(execution, {.count = blocks.count()}, [&](std::size_t block) {
    for (std::size_t bucket = blocks.first(block); bucket < blocks.last(block); ++bucket) {
      const std::size_t size = begin(bucket + 1) - begin(bucket);
      sort_by_content(table.rows().data(), std::span(rows_).subspan(begin(bucket), size));
    }
  });
}

}  // namespace coppice::internal
