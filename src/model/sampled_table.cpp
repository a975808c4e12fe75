// SPDX-License-Identifier: BSD-3-Clause
// Sparse rows are kept block by block, since threads finish blocks in any order, and put together in the end.

#include "model/sampled_table.hpp"

#include <algorithm>
#include <utility>

#include "coppice/runtime/blocks.hpp"

namespace coppice::internal {

SampledTable::SampledTable(std::size_t n_rows, std::size_t n_columns, bool is_sparse)
    : n_rows_(n_rows), n_columns_(n_columns) {
  if (is_sparse) {
    blocks_.resize(Blocks{n_rows}.count());
    row_ends_.resize(n_rows);
  } else {
    values_.resize(n_rows * n_columns);
  }
}

void SampledTable::take(std::size_t row, std::size_t block, std::span<const double> values) {
  if (!values_.empty()) {
    std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>(row * n_columns_));
    return;
  }
  Entries& entries = blocks_[block];
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    entries.columns.push_back(static_cast<std::uint32_t>(i));
    entries.values.push_back(values[i]);
  }
  row_ends_[row] = entries.values.size();
}

Dataset SampledTable::finish() {
  return values_.empty() ? join_blocks() : Dataset::from_rows(std::move(values_), n_rows_, n_columns_);
}

Dataset SampledTable::join_blocks() const {
  SparseEntries<double> all{{0}, {}, {}, n_columns_};
  const Blocks blocks{n_rows_};
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const std::uint64_t before = all.values.size();
    for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
      all.starts.push_back(before + row_ends_[row]);
    }
    const auto& [columns, values] = blocks_[block];
    all.columns.insert(all.columns.end(), columns.begin(), columns.end());
    all.values.insert(all.values.end(), values.begin(), values.end());
  }
  return Dataset::from_sparse_rows(std::move(all));
}

}  // namespace coppice::internal
