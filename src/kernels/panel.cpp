// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/panel.hpp"

#include <algorithm>

namespace coppice::kernels {

namespace {

template <class Value>
void load(const Value* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
          double* panel) noexcept {
  const std::size_t n_columns = origin.size();
  const std::size_t padded = std::min(panel_rows, (n_rows + 15) / 16 * 16);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const Value* values = rows + (index != nullptr ? index[row] : row) * n_columns;
    for (std::size_t c = 0; c < n_columns; ++c) {
      panel[c * panel_stride + row] = static_cast<double>(values[c]) - origin[c];
    }
  }
  for (std::size_t c = 0; c < n_columns; ++c) {
    std::fill(panel + c * panel_stride + n_rows, panel + c * panel_stride + padded, 0.0);
  }
}

}  // namespace

void load_panel(const float* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept {
  load(rows, index, n_rows, origin, panel);
}

void load_panel(const double* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept {
  load(rows, index, n_rows, origin, panel);
}

}  // namespace coppice::kernels
