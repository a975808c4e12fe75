// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every seeding rule wants to know of the rows, found in one pass over them. Rows without weight are absent: they
// touch nothing but their own bucket number.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/seeding/scaled_rows.hpp"

namespace coppice::internal {

class SeedingTable {
 public:
  SeedingTable(const Execution& execution, const ScaledRows& rows);

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t n_present() const noexcept { return n_present_; }  // rows with weight
  [[nodiscard]] bool is_present(std::size_t row) const noexcept { return rows_.weight(row) > 0.0; }
  // Does not depend on the order of the rows; exact if the weights are whole numbers.
  [[nodiscard]] double total_weight() const noexcept { return total_weight_; }

  // The first 16 bits of the row's hash: content order is bucket order first.
  [[nodiscard]] std::uint16_t bucket(std::size_t row) const noexcept { return buckets_[row]; }
  // Content order; copies by row number.
  [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const;

  // Rows are taken times a power of two, which is 1 unless their squared distances would overflow or vanish; and every
  // column times its factor.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  [[nodiscard]] double factor(std::size_t column) const noexcept {
    return factors_.empty() ? scale_ : scale_ * factors_[column];
  }
  [[nodiscard]] bool are_scaled() const noexcept { return scale_ != 1.0 || !factors_.empty(); }
  void copy_point(std::size_t row, std::span<double> out) const noexcept;  // less the origin, times the factors
  // Smallest and largest value of every column, as copy_point() gives them.
  [[nodiscard]] std::span<const double> low() const noexcept { return low_; }
  [[nodiscard]] std::span<const double> high() const noexcept { return high_; }
  // The squared diagonal of the box around the rows: at most 4 D times the largest squared distance from any row.
  [[nodiscard]] double squared_diagonal() const noexcept;

 private:
  struct Found;
  void look_at_rows(const Execution& execution);
  void look_at_block(std::size_t first, std::size_t last, Found& found);
  void choose_scale() noexcept;
  void add_weights(const Execution& execution, double largest_weight);

  const Rows& rows_;
  std::vector<double> factors_;
  std::vector<std::uint16_t> buckets_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::size_t n_present_ = 0;
  double total_weight_ = 0.0;
  double scale_ = 1.0;
};

}  // namespace coppice::internal
