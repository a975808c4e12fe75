// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How probable rows can be at most in clusters whose predictive density falls with the distance from their mean.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/precision_root.hpp"
#include "coppice/family/prediction_bounds.hpp"

namespace coppice::internal {

// The log density of a row by v, a quadratic form: constant - exponent log(1 + factor v) of a Student t; constant - v
// of a normal.
struct LogStudent {
  double constant = 0.0;
  double exponent = 0.0;
  double factor = 0.0;
};
struct LogNormal {
  double constant = 0.0;
};

// Over a box, v is at least `least_form`.
struct StudentBound {
  std::function<double(const Box& box)> least_form;
  LogStudent density;
};
struct NormalBound {
  std::function<double(const Box& box)> least_form;
  LogNormal density;
};
[[nodiscard]] std::unique_ptr<PredictionBounds> bounds_of(std::vector<StudentBound> clusters);
[[nodiscard]] std::unique_ptr<PredictionBounds> bounds_of(std::vector<NormalBound> clusters);

// The product over columns of Student t: constant - exponent sum_d log(squares_d + k (x_d - m_d)^2).
struct ColumnsBound {
  std::span<const double> m;
  std::span<const double> squares;
  double k = 0.0;
  double exponent = 0.0;
  double constant = 0.0;
};
[[nodiscard]] std::unique_ptr<PredictionBounds> bounds_of(std::vector<ColumnsBound> clusters);

// Lower bounds of quadratic forms over a box: with centre c and half widths w, entry i of W (x - m) stays within |W| w
// of that of W (c - m). Exact without entries beside the diagonal, of which here are `scale`; 0 for a root of low rank.
[[nodiscard]] double least_form(const PrecisionRoot& w, std::span<const double> m, const Box& box);
[[nodiscard]] double least_form(const kernels::BandedTriangle& w, std::span<const double> m, const Box& box);
[[nodiscard]] double least_form(std::span<const double> scale, std::span<const double> m, const Box& box);

}  // namespace coppice::internal
