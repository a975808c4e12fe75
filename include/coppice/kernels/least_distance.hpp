// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nearest of a run of rows to a point.

#include <cstddef>
#include <span>

namespace coppice::kernels {

// Squared distance from a point to the nearest of `n_rows` rows (less the origin) that differs from it and has weight
// (null: all have), or `limit` if none is nearer.
[[nodiscard]] double least_distance(const float* rows, std::size_t n_rows, std::span<const double> origin,
                                    std::span<const double> point, const double* weights, double limit) noexcept;
[[nodiscard]] double least_distance(const double* rows, std::size_t n_rows, std::span<const double> origin,
                                    std::span<const double> point, const double* weights, double limit) noexcept;

}  // namespace coppice::kernels
