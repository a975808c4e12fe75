// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Squared distances of many rows from a few points. A distance is added up column by column, without fused
// multiply-add: a row has the same distance wherever it stands in the table, stored as float or as double, and on every
// instruction set.

#include <cstddef>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// squared[point * panel_rows + row] of a panel's rows; `points` are n_points runs of n_columns numbers. The rows behind
// the last one, up to a multiple of 16, get numbers without meaning.
void squared_distances(PanelView panel, const double* points, std::size_t n_points, double* squared) noexcept;

}  // namespace coppice::kernels
