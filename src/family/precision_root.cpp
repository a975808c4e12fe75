// SPDX-License-Identifier: BSD-3-Clause
// W as a triangle or as a diagonal with few directions, and what costs, ties and samples ask of either. The triangle's
// full matrix is made once, since boxes and nodes ask for it; that of low rank only if somebody asks, for it is as
// large as everything that it avoids.

#include "coppice/family/precision_root.hpp"

#include <Eigen/Dense>
#include <utility>

#include "coppice/kernels/cholesky.hpp"
#include "coppice/kernels/moments.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using kernels::BandedTriangle;
using kernels::LowRankRoot;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;

struct LowRankMaps {
  Eigen::Map<const Eigen::VectorXd> scale;
  Eigen::Map<const RowMajor> basis;
  Eigen::Map<const RowMajor> inside;

  explicit LowRankMaps(const LowRankRoot& root)
      : scale(root.scale.data(), static_cast<Index>(root.scale.size())),
        basis(root.basis.data(), scale.size(), static_cast<Index>(root.rank)),
        inside(root.inside.data(), basis.cols(), basis.cols()) {}

  // Rows as columns.
  template <class Rows, class Out>
  void squared_lengths(const Rows& rows, Out&& out) const {
    RowMajor s = scale.asDiagonal() * rows;
    const RowMajor coordinates = basis.transpose() * s;
    s.noalias() -= basis * coordinates;
    out = s.colwise().squaredNorm() + (inside * coordinates).colwise().squaredNorm();
  }
};

std::vector<double> matrix_of(const BandedTriangle& triangle) {
  const std::size_t d = triangle.n();
  kernels::SquareMatrix w(d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) w.row(i)[j] = triangle.at(i, j);
  }
  const kernels::SquareMatrix gram = kernels::gram_of_triangle(w);
  std::vector<double> values;
  values.reserve(d * d);
  for (std::size_t i = 0; i < d; ++i) values.insert(values.end(), gram.row(i), gram.row(i) + d);
  return values;
}

// scale (I - Q Q' + Q T' T Q') scale
std::vector<double> matrix_of(const LowRankRoot& root) {
  const LowRankMaps maps(root);
  const Index d = maps.scale.size();
  std::vector<double> values(root.scale.size() * root.scale.size());
  const RowMajor narrowed = maps.basis * maps.inside.transpose();
  Eigen::Map<MatrixXd> full(values.data(), d, d);
  full.setIdentity();
  full.noalias() += narrowed * narrowed.transpose();
  full.noalias() -= maps.basis * maps.basis.transpose();
  full = maps.scale.asDiagonal() * full * maps.scale.asDiagonal();
  return values;
}

}  // namespace

PrecisionRoot::PrecisionRoot(BandedTriangle triangle) : squared_columns_(triangle.n()), matrix_(matrix_of(triangle)) {
  for (std::size_t i = 0; i < triangle.n(); ++i) squared_columns_[i] = matrix_[i * (triangle.n() + 1)];
  root_ = std::move(triangle);
}

PrecisionRoot::PrecisionRoot(LowRankRoot root) : squared_columns_(root.scale.size()) {
  const LowRankMaps maps(root);
  const RowMajor narrowed = maps.basis * maps.inside.transpose();
  for (Index i = 0; i < maps.scale.size(); ++i) {
    // The diagonal of I - Q Q' + Q T' T Q'.
    const double share = 1.0 - maps.basis.row(i).squaredNorm() + narrowed.row(i).squaredNorm();
    squared_columns_[static_cast<std::size_t>(i)] = maps.scale(i) * maps.scale(i) * share;
  }
  root_ = std::move(root);
}

void PrecisionRoot::costs(const kernels::PanelView& panel, std::span<const double> m, double a, double* out) const {
  if (const auto* triangle = std::get_if<BandedTriangle>(&root_)) {
    kernels::quadratic_costs(panel, {m, triangle, a}, out);
    return;
  }
  const auto d = static_cast<Index>(m.size());
  const auto n = static_cast<Index>(panel.n_rows);
  // A panel column by column is a matrix row by row: rows of the table are its columns.
  const Eigen::Map<const RowMajor, 0, Stride> rows(panel.values, d, n, Stride(kernels::panel_stride));
  const Eigen::Map<const Eigen::VectorXd> mean(m.data(), d);
  Eigen::Map<Eigen::RowVectorXd> lengths(out, n);
  LowRankMaps(std::get<LowRankRoot>(root_)).squared_lengths(rows.colwise() - mean, lengths);
  lengths.array() += a;
}

kernels::ExactQuadratic PrecisionRoot::exact(std::span<const double> x, std::span<const double> m) const {
  if (const auto* triangle = std::get_if<BandedTriangle>(&root_)) {
    return kernels::exact_quadratic(x, {m, triangle, 0.0}, squared_columns_);
  }
  return kernels::exact_low_rank(x, m, std::get<LowRankRoot>(root_), squared_columns_);
}

std::vector<double> PrecisionRoot::matrix() const {
  return std::holds_alternative<BandedTriangle>(root_) ? matrix_ : matrix_of(std::get<LowRankRoot>(root_));
}

// W^-1 z of a triangle. Of low rank, scale t has the precision I - Q Q' + Q T' T Q', so that its part along Q is T^-1
// z.
void PrecisionRoot::colour(std::span<double> normals) const {
  if (const auto* triangle = std::get_if<BandedTriangle>(&root_)) return kernels::solve_triangle(*triangle, normals);
  const LowRankMaps maps(std::get<LowRankRoot>(root_));
  Eigen::Map<Eigen::VectorXd> t(normals.data(), maps.scale.size());
  const Eigen::VectorXd along = maps.basis.transpose() * t;
  t.noalias() += maps.basis * (maps.inside.triangularView<Eigen::Lower>().solve(along) - along);
  t.array() /= maps.scale.array();
}

double PrecisionRoot::trace_with(std::span<const double> packed) const {
  const std::vector<double> of_low_rank = matrix_.empty() ? matrix() : std::vector<double>{};
  const std::vector<double>& a = matrix_.empty() ? of_low_rank : matrix_;
  const std::size_t d = n_columns();
  double trace = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    const double* a_row = a.data() + i * d;
    const double* row = packed.data() + kernels::packed_index(i, 0);
    double below = 0.0;
    for (std::size_t j = 0; j < i; ++j) below += a_row[j] * row[j];
    trace += 2.0 * below + a_row[i] * row[i];
  }
  return trace;
}

}  // namespace coppice::internal
