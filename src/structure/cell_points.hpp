// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows as points that cells are cut from (cells.hpp): dense, or as sparse as the rows are.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "structure/cells.hpp"

namespace coppice::internal {

class CellPoints {
 public:
  CellPoints(const Rows& rows, const CellOptions& options);

  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] double weight(std::size_t row) const noexcept { return rows_.weight(row); }

  [[nodiscard]] double dot(std::size_t row, std::span<const double> with) const noexcept {
    double sum = 0.0;
    for_each_entry(row, [&](std::size_t column, double value) { sum += value * with[column]; });
    return sum;
  }
  void add(std::size_t row, double factor, std::span<double> into) const noexcept {
    for_each_entry(row, [&](std::size_t column, double value) { into[column] += factor * value; });
  }
  void add_squares(std::size_t row, double factor, std::span<double> into) const noexcept {
    for_each_entry(row, [&](std::size_t column, double value) { into[column] += factor * value * value; });
  }

 private:
  template <class Use>
  void for_each_entry(std::size_t row, const Use& use) const noexcept {
    if (begin_.empty()) {
      const double* const values = values_.data() + row * n_columns_;
      for (std::size_t i = 0; i < n_columns_; ++i) use(i, values[i]);
    } else {
      for (std::size_t i = begin_[row]; i < begin_[row + 1]; ++i) use(columns_[i], values_[i]);
    }
  }
  void take_dense(const CellOptions& options);
  void take_sparse(const CellOptions& options);

  const Rows& rows_;
  std::size_t n_columns_;
  std::vector<double> values_;
  std::vector<std::size_t> begin_;  // of every row's entries; empty: dense
  std::vector<std::uint32_t> columns_;
};

}  // namespace coppice::internal
