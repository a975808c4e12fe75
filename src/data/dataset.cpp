// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/runtime/error.hpp"

namespace coppice {

namespace {

// Kinds as the values show them: only 0 and 1; whole numbers from 0 on; anything else.
class KindGuess {
 public:
  void see(double value) noexcept {
    binary_ = binary_ && (value == 0.0 || value == 1.0);
    count_ = count_ && value >= 0.0 && value == std::floor(value);
  }
  [[nodiscard]] ColumnKind kind() const noexcept {
    return binary_ ? ColumnKind::binary : count_ ? ColumnKind::count : ColumnKind::real;
  }

 private:
  bool binary_ = true;
  bool count_ = true;
};

template <class Value>
std::vector<Column> check_and_guess(std::span<const Value> values, std::size_t n_rows, std::size_t n_columns) {
  std::vector<KindGuess> guesses(n_columns);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t column = 0; column < n_columns; ++column) {
      const Value value = values[row * n_columns + column];
      if (!std::isfinite(value)) {
        throw DataError(fmt::format(
            "value [{}, {}] is {}; every value must be a finite number (remove or fill the row)", row, column, value));
      }
      guesses[column].see(static_cast<double>(value));
    }
  }
  std::vector<Column> columns(n_columns);
  for (std::size_t column = 0; column < n_columns; ++column) {
    columns[column] = {fmt::format("x{}", column + 1), guesses[column].kind()};
  }
  return columns;
}

template <class Value>
Dataset own(std::vector<Value> values, Storage storage, std::size_t n_rows, std::size_t n_columns) {
  if (values.size() != n_rows * n_columns) {
    throw DataError(fmt::format("{} values do not make {} rows of {} columns", values.size(), n_rows, n_columns));
  }
  auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
  const void* first = owner->data();
  return Dataset::from_memory(std::move(owner), first, storage, n_rows, n_columns);
}

void check_length(std::string_view what, std::size_t length, std::size_t expected) {
  if (length != expected) throw DataError(fmt::format("{} {} given, but the table has {}", length, what, expected));
}

}  // namespace

std::string_view to_string(Storage storage) noexcept { return storage == Storage::float32 ? "float32" : "float64"; }

Dataset Dataset::from_rows(std::vector<double> values, std::size_t n_rows, std::size_t n_columns) {
  return own(std::move(values), Storage::float64, n_rows, n_columns);
}

Dataset Dataset::from_rows(std::vector<float> values, std::size_t n_rows, std::size_t n_columns) {
  return own(std::move(values), Storage::float32, n_rows, n_columns);
}

Dataset Dataset::from_memory(std::shared_ptr<const void> owner, const void* values, Storage storage, std::size_t n_rows,
                             std::size_t n_columns) {
  Dataset table;
  table.owner_ = std::move(owner);
  table.values_ = values;
  table.storage_ = storage;
  table.n_rows_ = n_rows;
  table.columns_.resize(n_columns);
  table.columns_ = storage == Storage::float32 ? check_and_guess(table.floats(), n_rows, n_columns)
                                               : check_and_guess(table.doubles(), n_rows, n_columns);
  return table;
}

std::span<const float> Dataset::floats() const noexcept {
  if (storage_ != Storage::float32) return {};
  return {static_cast<const float*>(values_), n_rows_ * n_columns()};
}

std::span<const double> Dataset::doubles() const noexcept {
  if (storage_ != Storage::float64) return {};
  return {static_cast<const double*>(values_), n_rows_ * n_columns()};
}

double Dataset::value(std::size_t row, std::size_t column) const noexcept {
  const std::size_t at = row * n_columns() + column;
  return storage_ == Storage::float32 ? static_cast<double>(floats()[at]) : doubles()[at];
}

Dataset Dataset::with_names(std::vector<std::string> names) const {
  check_length("column names", names.size(), n_columns());
  Dataset copy = *this;
  for (std::size_t column = 0; column < names.size(); ++column) copy.columns_[column].name = std::move(names[column]);
  return copy;
}

Dataset Dataset::with_weights(std::vector<double> weights) const {
  check_length("weights", weights.size(), n_rows_);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!std::isfinite(weights[row]) || weights[row] < 0.0) {
      throw DataError(
          fmt::format("the weight of row {} is {}; weights must be finite and not negative", row, weights[row]));
    }
  }
  Dataset copy = *this;
  copy.weights_ = std::move(weights);
  return copy;
}

Dataset Dataset::with_ids(std::vector<std::string> ids) const {
  check_length("row names", ids.size(), n_rows_);
  Dataset copy = *this;
  copy.ids_ = std::move(ids);
  return copy;
}

Dataset Dataset::with_categories(std::vector<CategoryColumn> categories) const {
  for (const CategoryColumn& column : categories) check_length("category codes", column.codes.size(), n_rows_);
  Dataset copy = *this;
  copy.categories_ = std::move(categories);
  return copy;
}

Dataset Dataset::with_rows_reordered(std::shared_ptr<const void> owner, const void* values,
                                     std::vector<double> weights) const {
  check_length("weights", weights.size(), weights_.size());
  Dataset copy = *this;
  copy.owner_ = std::move(owner);
  copy.values_ = values;
  copy.weights_ = std::move(weights);
  copy.ids_.clear();
  copy.categories_.clear();
  return copy;
}

bool operator==(const Dataset& a, const Dataset& b) {
  if (a.n_rows_ != b.n_rows_ || a.columns_ != b.columns_ || a.categories_ != b.categories_ ||
      a.weights_ != b.weights_ || a.ids_ != b.ids_) {
    return false;
  }
  for (std::size_t row = 0; row < a.n_rows_; ++row) {
    for (std::size_t column = 0; column < a.n_columns(); ++column) {
      if (a.value(row, column) != b.value(row, column)) return false;
    }
  }
  return true;
}

}  // namespace coppice
