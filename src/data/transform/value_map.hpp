// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables made from others value by value, in the storage they had: float32 stays float32.

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

// `table` with the weights and row names of `source`, and columns of the given names that hold real numbers.
[[nodiscard]] inline Dataset annotated(const Dataset& table, std::vector<std::string> names, const Dataset& source) {
  Dataset result =
      table.with_names(std::move(names)).with_kinds(std::vector<ColumnKind>(table.n_columns(), ColumnKind::real));
  if (!source.weights().empty()) result = result.with_weights(source.weights());
  if (!source.ids().empty()) result = result.with_ids(source.ids());
  return result;
}

[[nodiscard]] inline std::vector<std::string> column_names(const Dataset& data) {
  std::vector<std::string> names;
  for (const Column& column : data.columns()) names.push_back(column.name);
  return names;
}

// A number in the storage of the result; DataError if it does not fit there.
template <class Value>
[[nodiscard]] Value stored(double number, std::size_t row, const std::string& column, const std::string& step) {
  const auto value = static_cast<Value>(number);
  if (std::isfinite(value)) return value;
  throw DataError(fmt::format(
      "row {} (counted from 1), column '{}': {} gives {}, which is too large for {}; remove the row or change "
      "its scale",
      row + 1, column, step, number, sizeof(Value) == sizeof(float) ? "float32" : "float64"));
}

// The entries of a sparse table, as the table was made of.
template <class Value>
[[nodiscard]] SparseEntries<Value> copy_entries(const Dataset& data) {
  SparseEntries<Value> entries{{0}, {}, {}, data.n_columns()};
  entries.starts.reserve(data.n_rows() + 1);
  entries.columns.reserve(data.n_entries());
  entries.values.reserve(data.n_entries());
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    const SparseRow from = data.sparse_row(row);
    entries.columns.insert(entries.columns.end(), from.columns.begin(), from.columns.end());
    for (std::size_t entry = 0; entry < from.size(); ++entry) {
      entries.values.push_back(static_cast<Value>(from.value(entry)));
    }
    entries.starts.push_back(entries.columns.size());
  }
  return entries;
}

// map(row, column, value) for every value; of sparse rows for every entry, so that map must leave 0 as it is.
// `step` is for messages.
template <class Value, class Map>
[[nodiscard]] Dataset map_stored(const Execution& execution, const Dataset& data, const std::string& step,
                                 const Map& map) {
  const auto names = column_names(data);
  const auto change = [&](Value& value, std::size_t row, std::size_t column) {
    value = stored<Value>(map(row, column, static_cast<double>(value)), row, names[column], step);
  };
  const Blocks blocks{.n_items = data.n_rows()};
  if (data.is_sparse()) {
    SparseEntries<Value> entries = copy_entries<Value>(data);
    for_each_block(execution, blocks, [&](const BlockRange& block) {
      for (std::size_t row = block.first; row < block.last; ++row) {
        for (std::size_t at = entries.starts[row]; at < entries.starts[row + 1]; ++at) {
          change(entries.values[at], row, entries.columns[at]);
        }
      }
    });
    return annotated(Dataset::from_sparse_rows(std::move(entries)), names, data);
  }
  std::vector<Value> values;
  if constexpr (sizeof(Value) == sizeof(float)) {
    values.assign(data.floats().begin(), data.floats().end());
  } else {
    values.assign(data.doubles().begin(), data.doubles().end());
  }
  const std::size_t n_columns = data.n_columns();
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      for (std::size_t column = 0; column < n_columns; ++column) {
        change(values[row * n_columns + column], row, column);
      }
    }
  });
  return annotated(Dataset::from_rows(std::move(values), data.n_rows(), n_columns), names, data);
}

template <class Map>
[[nodiscard]] Dataset map_values(const Execution& execution, const Dataset& data, const std::string& step,
                                 const Map& map) {
  return data.storage() == Storage::float32 ? map_stored<float>(execution, data, step, map)
                                            : map_stored<double>(execution, data, step, map);
}

}  // namespace coppice::internal
