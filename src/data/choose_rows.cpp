// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/choose_rows.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coppice::internal {

namespace {

template <class Value>
std::vector<Value> gather(std::span<const Value> values, std::size_t n_columns, std::span<const std::size_t> rows) {
  std::vector<Value> result;
  result.reserve(rows.size() * n_columns);
  for (const std::size_t row : rows) {
    const auto of_row = values.subspan(row * n_columns, n_columns);
    result.insert(result.end(), of_row.begin(), of_row.end());
  }
  return result;
}

template <class Value>
Dataset gather_sparse(const Dataset& data, std::span<const std::size_t> rows) {
  SparseEntries<Value> entries{.starts = {0}, .columns = {}, .values = {}, .n_columns = data.n_columns()};
  for (const std::size_t row : rows) {
    const SparseRow of_row = data.sparse_row(row);
    entries.columns.insert(entries.columns.end(), of_row.columns.begin(), of_row.columns.end());
    for (std::size_t i = 0; i < of_row.size(); ++i) entries.values.push_back(static_cast<Value>(of_row.value(i)));
    entries.starts.push_back(entries.columns.size());
  }
  return Dataset::from_sparse_rows(std::move(entries));
}

Dataset gather_rows(const Dataset& data, std::span<const std::size_t> rows) {
  const std::size_t d = data.n_columns();
  const bool is_float = data.storage() == Storage::float32;
  if (data.is_sparse()) return is_float ? gather_sparse<float>(data, rows) : gather_sparse<double>(data, rows);
  return is_float ? Dataset::from_rows(gather(data.floats(), d, rows), rows.size(), d)
                  : Dataset::from_rows(gather(data.doubles(), d, rows), rows.size(), d);
}

}  // namespace

Dataset choose_rows(const Dataset& data, std::span<const std::size_t> rows) {
  std::vector<std::string> names;
  std::vector<ColumnKind> kinds;
  for (const Column& column : data.columns()) {
    names.push_back(column.name);
    kinds.push_back(column.kind);
  }
  Dataset chosen = gather_rows(data, rows).with_names(std::move(names)).with_kinds(kinds);
  if (data.weights().empty()) return chosen;
  std::vector<double> weights;
  for (const std::size_t row : rows) weights.push_back(data.weight(row));
  return chosen.with_weights(std::move(weights));
}

}  // namespace coppice::internal
