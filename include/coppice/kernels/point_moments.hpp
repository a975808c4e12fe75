// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Weight, mean and summed squared distance from the mean, straight from stored rows: what a centre needs.

#include <cstddef>
#include <span>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

struct PointMoments {
  double weight = 0.0;
  double scatter = 0.0;
};

// Also writes the mean, less the origin; zeros if there is no weight. No weights: all ones. Rows of weight 0 leave no
// trace.
PointMoments point_moments(const StoredRows& rows, std::span<const double> weights, std::span<double> mean) noexcept;

// Moves a mean by a share of its way to another one; returns the squared distance of the two as they were.
double move_towards(std::span<double> mean, std::span<const double> other, double share) noexcept;

}  // namespace coppice::kernels
