// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which row of a panel lies closest to a point. Distances are added up column by column without fused multiply-add, so
// that a row lies as far from a point as the point from the row, to the last bit. Runs of 32 rows are looked at: those
// behind the last row must hold infinity in one column, as must rows that are to be passed over.

#include <cstddef>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// least[row] = min(least[row], |row - point|^2); returns the smallest of them.
double lower_to_distances(PanelView panel, const double* point, double* least) noexcept;

// values[row] = |row - point|^2 / (scales[row] + scale), where scales are finite and positive; returns the smallest.
double scaled_distances(PanelView panel, const double* scales, const double* point, double scale,
                        double* values) noexcept;

}  // namespace coppice::kernels
