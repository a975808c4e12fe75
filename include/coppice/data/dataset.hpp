// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A table of numbers as it was stored: rows of float or double, dense or sparse, never widened, never copied again once
// read. A Dataset is an immutable value; copies share the numbers. Weights, row names and category columns travel
// along.
//
//   Dataset points = read("points.csv");
//   Dataset same = Dataset::from_rows(values, n_rows, n_columns);   // std::vector<double>, row by row
//   Dataset words = Dataset::from_sparse_rows({{0, 2, 3}, {4, 7, 1}, counts, n_columns});

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/column.hpp"

namespace coppice {

enum class Storage : std::uint8_t { float32, float64 };

[[nodiscard]] std::string_view to_string(Storage storage) noexcept;

// What a sparse table is made of: row r holds the entries starts[r] .. starts[r + 1] - 1; what is not there is 0.
template <class Value>
struct SparseEntries {
  std::vector<std::uint64_t> starts;  // one more than there are rows
  std::vector<std::uint32_t> columns;
  std::vector<Value> values;
  std::size_t n_columns = 0;
};

// The entries of one row by increasing column; of floats and doubles, the one that is not stored is empty.
struct SparseRow {
  std::span<const std::uint32_t> columns;
  std::span<const float> floats;
  std::span<const double> doubles;

  [[nodiscard]] std::size_t size() const noexcept { return columns.size(); }
  [[nodiscard]] double value(std::size_t entry) const noexcept {
    return floats.empty() ? doubles[entry] : static_cast<double>(floats[entry]);
  }
};

class Dataset {
 public:
  Dataset() = default;

  // Takes the rows, one after the other. Throws DataError if the length is not n_rows * n_columns or if a value is
  // NaN or infinite. Columns are named x1, x2, ... and their kinds guessed.
  static Dataset from_rows(std::vector<double> values, std::size_t n_rows, std::size_t n_columns);
  static Dataset from_rows(std::vector<float> values, std::size_t n_rows, std::size_t n_columns);

  // The same for a table with gaps: NaN marks a missing entry.
  static Dataset from_rows_with_gaps(std::vector<double> values, std::size_t n_rows, std::size_t n_columns);

  // Views rows that `owner` keeps alive (a mapped file, an array of another language); the same checks, shared out
  // among threads (0: all cores) if there are many values.
  static Dataset from_memory(std::shared_ptr<const void> owner, const void* values, Storage storage, std::size_t n_rows,
                             std::size_t n_columns, std::size_t n_threads = 1);

  // Sparse rows. DataError if the parts do not fit together, if the columns of a row do not increase, or if a value is
  // NaN or infinite; LimitError for more than most_sparse_columns.
  static constexpr std::size_t most_sparse_columns = std::size_t{1} << 22U;
  static Dataset from_sparse_rows(SparseEntries<double> entries);
  static Dataset from_sparse_rows(SparseEntries<float> entries);

  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return columns_.size(); }
  [[nodiscard]] Storage storage() const noexcept { return storage_; }
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
  [[nodiscard]] const std::vector<CategoryColumn>& categories() const noexcept { return categories_; }

  [[nodiscard]] bool is_sparse() const noexcept { return !starts_.empty(); }
  [[nodiscard]] std::size_t n_entries() const noexcept { return is_sparse() ? starts_.back() : n_rows_ * n_columns(); }
  [[nodiscard]] SparseRow sparse_row(std::size_t row) const noexcept;

  // All values of a dense table, row by row; the span of the other type is empty, and both are if the table is sparse.
  [[nodiscard]] std::span<const float> floats() const noexcept;
  [[nodiscard]] std::span<const double> doubles() const noexcept;
  [[nodiscard]] double value(std::size_t row, std::size_t column) const noexcept;

  // Missing entries (NaN as value) of a column; the readers refuse them unless asked to keep them.
  [[nodiscard]] std::size_t n_missing(std::size_t column) const noexcept {
    return missing_.empty() ? 0 : missing_[column];
  }
  [[nodiscard]] bool has_missing() const noexcept;

  // Row weights; empty means that every row weighs 1. Row names; empty means row numbers from 0.
  [[nodiscard]] const std::vector<double>& weights() const noexcept { return weights_; }
  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return ids_; }
  [[nodiscard]] double weight(std::size_t row) const noexcept { return weights_.empty() ? 1.0 : weights_[row]; }

  // Copies that share the numbers and differ in one respect. Lengths and values are checked (DataError): a count is a
  // whole number from 0 on, a binary value 0 or 1. Names are the user's own, unless `are_made_up` says otherwise.
  [[nodiscard]] Dataset with_names(std::vector<std::string> names, const std::vector<bool>& are_made_up = {}) const;
  [[nodiscard]] Dataset with_kinds(const std::vector<ColumnKind>& kinds) const;
  [[nodiscard]] Dataset with_weights(std::vector<double> weights) const;
  [[nodiscard]] Dataset with_ids(std::vector<std::string> ids) const;
  [[nodiscard]] Dataset with_categories(std::vector<CategoryColumn> categories) const;

  // The same rows in another order, as the caller laid them out (in this table's storage): nothing is checked again.
  // Row names and category columns stay behind.
  [[nodiscard]] Dataset with_rows_reordered(std::shared_ptr<const void> owner, const void* values,
                                            std::vector<double> weights) const;

  // Sparse rows with columns of zeros behind the last one, n in all.
  [[nodiscard]] Dataset with_zero_columns(std::size_t n) const;

  // The first n rows with all that belongs to them; the table itself if it has no more.
  [[nodiscard]] Dataset first_rows(std::size_t n) const;

  // A new table of the chosen columns (by name, or by number from 1), in the order given. OptionError if unknown.
  [[nodiscard]] Dataset select_columns(const std::vector<std::string>& chosen) const;

  // Equal tables: same shape, names, kinds, weights, ids and, as doubles, values.
  friend bool operator==(const Dataset& a, const Dataset& b);

 private:
  template <class Value>
  void own_sparse(SparseEntries<Value> entries, Storage storage);
  [[nodiscard]] double sparse_value(std::size_t row, std::size_t column) const noexcept;

  std::shared_ptr<const void> owner_;
  const void* values_ = nullptr;
  Storage storage_ = Storage::float64;
  std::size_t n_rows_ = 0;
  std::span<const std::uint64_t> starts_;  // of a sparse table; empty for a dense one
  std::span<const std::uint32_t> places_;  // the columns of its entries
  std::vector<Column> columns_;
  std::vector<std::size_t> missing_;  // per column; empty if nothing is missing
  std::vector<CategoryColumn> categories_;
  std::vector<double> weights_;
  std::vector<std::string> ids_;
};

// The weights of all rows, summed up in their order.
[[nodiscard]] double total_weight(const Dataset& data);

}  // namespace coppice
