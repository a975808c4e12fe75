// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The entries of a block's rows straight from where they are stored, dense or sparse, for families of counts and bits:
// their rows have an origin of zeros. Columns come in increasing order either way, so that sums over rows have the same
// bits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/assert.hpp"

namespace coppice::internal {

template <class Value>
struct DenseEntries {
  std::span<const Value> values;

  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t column = 0; column < values.size(); ++column) use(column, static_cast<double>(values[column]));
  }
};

template <class Value>
struct ListedEntries {
  std::span<const std::uint32_t> columns;
  std::span<const Value> values;

  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t i = 0; i < columns.size(); ++i) use(std::size_t{columns[i]}, static_cast<double>(values[i]));
  }
};

// Calls use(entries) with those of one row of a table.
template <class Use>
void with_entries(const Dataset& data, std::size_t row, const Use& use) {
  const std::size_t n_columns = data.n_columns();
  if (data.is_sparse()) {
    const SparseRow listed = data.sparse_row(row);
    if (data.storage() == Storage::float32) return use(ListedEntries<float>{listed.columns, listed.floats});
    return use(ListedEntries<double>{listed.columns, listed.doubles});
  }
  if (data.storage() == Storage::float32) {
    return use(DenseEntries<float>{data.floats().subspan(row * n_columns, n_columns)});
  }
  use(DenseEntries<double>{data.doubles().subspan(row * n_columns, n_columns)});
}

// Calls use(i, entries) for every row of the block.
template <class Use>
void for_each_row(const RowBlock& rows, const Use& use) {
  COPPICE_ASSERT(std::ranges::all_of(rows.source().origin(), [](double value) { return value == 0.0; }));
  for (std::size_t i = 0; i < rows.n_rows(); ++i) {
    with_entries(rows.source().data(), rows.row(i), [&](const auto& entries) { use(i, entries); });
  }
}

}  // namespace coppice::internal
