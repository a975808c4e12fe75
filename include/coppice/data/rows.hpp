// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A dataset's rows as inference sees them: less a fixed origin near the data's centre, so that numbers far from zero
// keep their digits, with their weights; handed out as blocks of at most 256 rows. Sparse rows, and rows of counts or
// bits, have an origin of zeros.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/panel.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

class Rows {
 public:
  Rows(Dataset data, std::vector<double> origin);

  [[nodiscard]] const Dataset& data() const noexcept { return data_; }
  [[nodiscard]] std::span<const double> origin() const noexcept { return origin_; }
  [[nodiscard]] std::size_t size() const noexcept { return data_.n_rows(); }
  [[nodiscard]] std::size_t n_columns() const noexcept { return data_.n_columns(); }
  [[nodiscard]] double weight(std::size_t row) const noexcept { return data_.weight(row); }
  [[nodiscard]] bool are_weighted() const noexcept { return !data_.weights().empty(); }
  [[nodiscard]] bool are_sparse() const noexcept { return data_.is_sparse(); }

  // Asks for dense rows first..last-1 before they are needed.
  void prefetch(std::size_t first, std::size_t last) const noexcept;

  // One row less the origin.
  void copy_row(std::size_t row, std::span<double> out) const noexcept;

 private:
  Dataset data_;
  std::vector<double> origin_;
};

// To 8 significant bits, so that it is exact to subtract from numbers near it.
[[nodiscard]] double rounded_to_8_bits(double value);

// The weighted column means, rounded to 8 significant bits: the same for shuffled rows, and exact to subtract.
[[nodiscard]] std::vector<double> fixed_origin(const Execution& execution, const Dataset& data);

// Memory for one block; make one per thread and use it for one block after the other. A panel is made when first asked
// for: sparse rows, which may have very many columns, never are.
class BlockBuffer {
 public:
  explicit BlockBuffer(std::size_t n_columns) : n_columns_(n_columns) {}
  [[nodiscard]] double* panel() {
    if (panel_.empty()) panel_.resize(n_columns_ * kernels::panel_stride);
    return panel_.data();
  }

 private:
  std::size_t n_columns_;
  kernels::AlignedVector<double> panel_;
};

// At most 256 rows, named by their numbers or by the first of a run. As doubles they form a panel, filled when first
// asked for; families that want the stored values go to `source()` with `row(i)`. Sparse rows have neither panel nor
// stored(): only families that say so (Components::takes_sparse_rows) ever see them.
class RowBlock {
 public:
  // Behind the chosen ones may stand the numbers of n_following more rows, which are to be read next; behind a run, the
  // rows themselves.
  RowBlock(const Rows& rows, std::span<const std::size_t> chosen, BlockBuffer& buffer, std::size_t n_following = 0)
      : rows_(&rows), chosen_(chosen), n_rows_(chosen.size()), n_following_(n_following), buffer_(&buffer) {}
  RowBlock(const Rows& rows, std::size_t first, std::size_t n_rows, BlockBuffer& buffer, std::size_t n_following = 0)
      : rows_(&rows), first_(first), n_rows_(n_rows), n_following_(n_following), buffer_(&buffer) {}

  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return rows_->n_columns(); }
  [[nodiscard]] const Rows& source() const noexcept { return *rows_; }
  [[nodiscard]] std::size_t row(std::size_t i) const noexcept { return chosen_.empty() ? first_ + i : chosen_[i]; }

  // Where the rows are stored, and whether they lie one after the other there.
  [[nodiscard]] kernels::StoredRows stored() const noexcept;
  [[nodiscard]] bool is_run() const noexcept { return chosen_.empty(); }

  [[nodiscard]] kernels::PanelView panel();
  // The panel, freshly filled, for a caller that overwrites it.
  [[nodiscard]] double* scratch_panel();

  [[nodiscard]] bool are_sparse() const noexcept { return rows_->are_sparse(); }
  [[nodiscard]] SparseRow sparse_row(std::size_t i) const noexcept { return rows_->data().sparse_row(row(i)); }

 private:
  const Rows* rows_;
  std::span<const std::size_t> chosen_;
  std::size_t first_ = 0;
  std::size_t n_rows_;
  std::size_t n_following_ = 0;
  BlockBuffer* buffer_;
  bool is_filled_ = false;
};

}  // namespace coppice
