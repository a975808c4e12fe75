// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of clusters whose predictive density is a normal, a Student t, or a product of Student t.

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/row_sampler.hpp"

namespace coppice::internal {

// A Student t of any shape: x = m + scale y sqrt(freedom / chi-square), where `colour` makes y of independent standard
// normals, in place. Without an end to its freedom it is a normal.
struct EllipticalDraw {
  std::span<const double> m;
  std::function<void(std::span<double> normals)> colour;
  double scale = 1.0;
  double freedom = std::numeric_limits<double>::infinity();
};
[[nodiscard]] std::unique_ptr<RowSampler> elliptical_sampler(std::vector<EllipticalDraw> clusters);

// A Student t for every column, independent of those of others given the row's factor u: the scale of column d is
// sqrt(squares_d (1 / u + 1 / xi) / freedom). u is 1, or with row freedom nu from Gamma(nu / 2, nu / 2).
struct ColumnsDraw {
  std::span<const double> m;
  std::span<const double> squares;
  double xi = 1.0;
  double freedom = 1.0;
  double row_freedom = std::numeric_limits<double>::infinity();
};
[[nodiscard]] std::unique_ptr<RowSampler> columns_sampler(std::vector<ColumnsDraw> clusters);

}  // namespace coppice::internal
