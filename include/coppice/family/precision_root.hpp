// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// W with W' W = (eta / 2) B^-1, by which a Gaussian cluster of any shape measures distances: a triangle, or for a
// cluster of fewer rows than columns a diagonal and as many directions as it has rows.

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "coppice/kernels/low_rank.hpp"
#include "coppice/kernels/quadratic.hpp"

namespace coppice::internal {

class PrecisionRoot {
 public:
  PrecisionRoot() = default;  // of no columns
  explicit PrecisionRoot(kernels::BandedTriangle triangle);
  explicit PrecisionRoot(kernels::LowRankRoot root);

  [[nodiscard]] std::size_t n_columns() const noexcept { return squared_columns_.size(); }
  // ||W (x - m)||^2 + a for every row of the panel, and up to 15 meaningless values behind the last one.
  void costs(const kernels::PanelView& panel, std::span<const double> m, double a, double* out) const;
  [[nodiscard]] kernels::ExactQuadratic exact(std::span<const double> x, std::span<const double> m) const;
  // The squared lengths of W's columns, which are the diagonal of W' W.
  [[nodiscard]] const std::vector<double>& squared_columns() const noexcept { return squared_columns_; }
  [[nodiscard]] std::vector<double> matrix() const;  // A = W' W in full
  // Makes a vector of covariance A^-1 of independent standard normals.
  void colour(std::span<double> normals) const;
  // tr(A S) of a symmetric matrix of which the lower triangle is given, row by row.
  [[nodiscard]] double trace_with(std::span<const double> packed) const;
  // Of few columns it is always a triangle.
  [[nodiscard]] const kernels::BandedTriangle& triangle() const { return std::get<kernels::BandedTriangle>(root_); }
  [[nodiscard]] const kernels::BandedTriangle* if_triangle() const {
    return std::get_if<kernels::BandedTriangle>(&root_);
  }

 private:
  std::variant<kernels::BandedTriangle, kernels::LowRankRoot> root_;
  std::vector<double> squared_columns_;
  std::vector<double> matrix_;  // of a triangle
};

}  // namespace coppice::internal
