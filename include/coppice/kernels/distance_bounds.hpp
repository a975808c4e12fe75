// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bounds on the distances of rows from centres that move, in single precision: rounding always widens them.

#include <cstddef>
#include <cstdint>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// Of a run of rows. Centres are in groups; lower[g * stride + row] bounds the distances from all centres of group g but
// the row's own.
struct RowBounds {
  float* upper;  // of the distance from the row's own centre
  float* lower;
  std::size_t stride;
  std::size_t n_groups;
};

// How far they moved at most.
struct Drifts {
  const float* centres;
  const float* groups;  // the farthest of each
};

// Centres at least `lower` away neither beat nor tie with one at most `upper` away if (lower - upper) (lower + upper) >
// share lower^2 + reserve, where the share is more than 2^-20: rounding is within that.
struct TieLimit {
  float share;
  float reserve;
};

// A row's label now, and the one whose centre its bounds are for; less than 0 is none.
struct LabelPair {
  const std::int32_t* now;
  const std::int32_t* bounded;
};

// Moves the bounds of at most panel_rows rows along with the centres, and lists the rows whose own centre another one
// may have reached; returns how many there are. `least` is a row's least lower bound. Rows that have another label than
// their bounds are for lose these: 0 and infinity.
std::size_t move_bounds(const RowBounds& bounds, std::size_t n_rows, const LabelPair& labels, const Drifts& drifts,
                        const TieLimit& limit, float* least, std::uint32_t* reached) noexcept;

// Squared distances of rows from centres (one after the other), a centre for each row, to within n_columns roundings of
// double precision.
void squared_distances_from_own(const StoredRows& rows, std::size_t n_columns, const double* centres,
                                const std::int32_t* labels, double* squared) noexcept;

}  // namespace coppice::kernels
