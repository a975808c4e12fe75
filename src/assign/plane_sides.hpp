// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// On which side of a plane boxes, rows and summaries lie.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

class PlaneSides {
 public:
  explicit PlaneSides(const Plane& plane) : plane_(plane) {}

  // How far above the threshold the box reaches at least and at most.
  struct Reach {
    double low = 0.0;
    double high = 0.0;
  };
  [[nodiscard]] Reach reach(const Box& box) const noexcept {
    Reach reach{-plane_.threshold, -plane_.threshold};
    for (std::size_t c = 0; c < plane_.normal.size(); ++c) {
      const double n = plane_.normal[c];
      reach.low += n * (n >= 0.0 ? box.low[c] : box.high[c]);
      reach.high += n * (n >= 0.0 ? box.high[c] : box.low[c]);
    }
    return reach;
  }

  // The side of every row. The sum over columns has the same order as in reach(), in which every product lies beyond
  // the row's: rounding keeps that order, so that a box is never given to a side that one of its rows is not on.
  void rows(RowBlock& block, std::span<std::int32_t> sides) const {
    if (block.are_sparse()) return sparse_rows(block, sides);
    const kernels::PanelView panel = block.panel();
    double above[kernels::panel_rows];
    // Column by column from the threshold on, as in reach(): the order is what the promise above hangs on.
    std::fill_n(above, panel.n_rows, -plane_.threshold);
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      const double* column = panel.column(c);
      for (std::size_t row = 0; row < panel.n_rows; ++row) above[row] += plane_.normal[c] * column[row];
    }
    for (std::size_t row = 0; row < panel.n_rows; ++row) sides[row] = above[row] >= 0.0 ? 0 : 1;
  }

  [[nodiscard]] std::int32_t point(std::span<const double> x) const noexcept {
    return reach({x, x}).low >= 0.0 ? 0 : 1;
  }

 private:
  // What is not there would add 0.
  void sparse_rows(const RowBlock& block, std::span<std::int32_t> sides) const {
    for (std::size_t row = 0; row < block.n_rows(); ++row) {
      const SparseRow entries = block.sparse_row(row);
      double above = -plane_.threshold;
      for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        above += plane_.normal[entries.columns[entry]] * entries.value(entry);
      }
      sides[row] = above >= 0.0 ? 0 : 1;
    }
  }

  const Plane& plane_;
};

}  // namespace coppice::internal
