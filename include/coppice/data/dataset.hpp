// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A table of numbers as it was stored: rows of float or double, never widened, never copied again once read.
// A Dataset is an immutable value; copies share the numbers. Weights, row names and category columns travel along.
//
//   Dataset points = read("points.csv");
//   Dataset same = Dataset::from_rows(values, n_rows, n_columns);   // std::vector<double>, row by row

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

class Dataset {
 public:
  Dataset() = default;

  // Takes the rows, one after the other. Throws DataError if the length is not n_rows * n_columns or if a value is
  // NaN or infinite. Columns are named x1, x2, ... and their kinds guessed.
  static Dataset from_rows(std::vector<double> values, std::size_t n_rows, std::size_t n_columns);
  static Dataset from_rows(std::vector<float> values, std::size_t n_rows, std::size_t n_columns);

  // Views rows that `owner` keeps alive (a mapped file, an array of another language); the same checks.
  static Dataset from_memory(std::shared_ptr<const void> owner, const void* values, Storage storage, std::size_t n_rows,
                             std::size_t n_columns);

  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return columns_.size(); }
  [[nodiscard]] Storage storage() const noexcept { return storage_; }
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
  [[nodiscard]] const std::vector<CategoryColumn>& categories() const noexcept { return categories_; }

  // All values, row by row; the span of the other type is empty.
  [[nodiscard]] std::span<const float> floats() const noexcept;
  [[nodiscard]] std::span<const double> doubles() const noexcept;
  [[nodiscard]] double value(std::size_t row, std::size_t column) const noexcept;

  // Row weights; empty means that every row weighs 1. Row names; empty means row numbers from 0.
  [[nodiscard]] const std::vector<double>& weights() const noexcept { return weights_; }
  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return ids_; }
  [[nodiscard]] double weight(std::size_t row) const noexcept { return weights_.empty() ? 1.0 : weights_[row]; }

  // Copies that share the numbers and differ in one respect. Lengths and values are checked (DataError).
  [[nodiscard]] Dataset with_names(std::vector<std::string> names) const;
  [[nodiscard]] Dataset with_weights(std::vector<double> weights) const;
  [[nodiscard]] Dataset with_ids(std::vector<std::string> ids) const;
  [[nodiscard]] Dataset with_categories(std::vector<CategoryColumn> categories) const;

  // The same rows in another order, as the caller laid them out (in this table's storage): nothing is checked again.
  // Row names and category columns stay behind.
  [[nodiscard]] Dataset with_rows_reordered(std::shared_ptr<const void> owner, const void* values,
                                            std::vector<double> weights) const;

  // A new table of the chosen columns (by name, or by number from 1), in the order given. OptionError if unknown.
  [[nodiscard]] Dataset select_columns(const std::vector<std::string>& chosen) const;

  // Equal tables: same shape, names, kinds, weights, ids and, as doubles, values.
  friend bool operator==(const Dataset& a, const Dataset& b);

 private:
  std::shared_ptr<const void> owner_;
  const void* values_ = nullptr;
  Storage storage_ = Storage::float64;
  std::size_t n_rows_ = 0;
  std::vector<Column> columns_;
  std::vector<CategoryColumn> categories_;
  std::vector<double> weights_;
  std::vector<std::string> ids_;
};

}  // namespace coppice
