// SPDX-License-Identifier: BSD-3-Clause
#include "seeding/point_distances.hpp"

#include "coppice/kernels/squared_distances.hpp"

namespace coppice::internal {

PointDistances::Workspace::Workspace(const PointDistances& distances, std::size_t n_points)
    : buffer(distances.table_.rows().n_columns()), squared(n_points * kernels::panel_rows) {}

void PointDistances::of_run(std::size_t first, std::size_t n_rows, std::span<const double> points,
                            Workspace& work) const {
  of_block(RowBlock(table_.rows(), first, n_rows, work.buffer), points, work);
}

void PointDistances::of_rows(std::span<const std::size_t> chosen, std::span<const double> points,
                             Workspace& work) const {
  of_block(RowBlock(table_.rows(), chosen, work.buffer), points, work);
}

void PointDistances::of_block(RowBlock block, std::span<const double> points, Workspace& work) const {
  double* panel = block.scratch_panel();
  const std::size_t n_columns = block.n_columns();
  for (std::size_t c = 0; table_.are_scaled() && c < n_columns; ++c) {
    double* column = panel + c * kernels::panel_stride;
    // To the end of the panel: what stands behind the last row is read, and thrown away.
    for (std::size_t i = 0; i < kernels::panel_stride; ++i) column[i] *= table_.factor(c);
  }
  kernels::squared_distances({panel, block.n_rows(), n_columns}, points.data(), points.size() / n_columns,
                             work.squared.data());
}

}  // namespace coppice::internal
