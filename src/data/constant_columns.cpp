// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/constant_columns.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace coppice::internal {

namespace {

template <class Value>
std::vector<std::size_t> constant_columns_of(std::span<const Value> values, const Dataset& data) {
  std::vector<std::size_t> columns(data.n_columns());  // those that no row has differed in so far: soon few
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const Value* first = nullptr;
  std::size_t n_seen = 0;
  for (std::size_t row = 0; row < data.n_rows() && !columns.empty(); ++row) {
    if (!(data.weight(row) > 0.0)) continue;  // has no say
    ++n_seen;
    const Value* here = values.data() + row * data.n_columns();
    if (first == nullptr) first = here;
    const auto differs = [=](std::size_t column) { return here[column] != first[column]; };
    if (std::ranges::any_of(columns, differs)) std::erase_if(columns, differs);
  }
  // A single row shows nothing.
  return n_seen < 2 ? std::vector<std::size_t>{} : columns;
}

}  // namespace

std::vector<std::size_t> constant_columns(const Dataset& data) {
  if (data.is_sparse()) return {};
  return data.storage() == Storage::float32 ? constant_columns_of(data.floats(), data)
                                            : constant_columns_of(data.doubles(), data);
}

std::size_t n_varying_columns(const Dataset& data) { return data.n_columns() - constant_columns(data).size(); }

}  // namespace coppice::internal
