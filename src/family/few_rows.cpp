// SPDX-License-Identifier: BSD-3-Clause
// O(D n^2) for a cluster of n rows where the whole matrix takes O(D^3): 100 rows of 3,000 columns take factors of 100 x
// 100. The rows themselves are gone, only their scatter is left: a pivoted Cholesky factorization finds a root of it
// with as many columns as its rank.

#include "family/few_rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/kernels/moments.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Below this, and with more than a third as many rows as columns, the whole matrix is as fast.
constexpr std::size_t least_columns = 64;
constexpr std::size_t columns_per_row = 3;
// A column's share of scatter that is no more than the rounding of its sum.
constexpr double negligible_share = 0x1p-40;

VectorXd column_of(std::span<const double> packed, Index column, Index d) {
  VectorXd values(d);
  for (Index row = 0; row < d; ++row) {
    const auto [low, high] = std::minmax(row, column);
    values(row) = packed[kernels::packed_index(static_cast<std::size_t>(high), static_cast<std::size_t>(low))];
  }
  return values;
}

// L with L L' = the scatter, by Cholesky steps that begin where the largest share of a column is left; nothing if more
// than `most` of them are needed.
std::optional<MatrixXd> root_of_scatter(std::span<const double> packed, Index d, Index most) {
  VectorXd whole(d);
  for (Index i = 0; i < d; ++i) {
    whole(i) = packed[kernels::packed_index(static_cast<std::size_t>(i), static_cast<std::size_t>(i))];
  }
  VectorXd left = whole;
  MatrixXd root(d, most);
  for (Index rank = 0;; ++rank) {
    Index pivot = 0;
    const double share = (whole.array() > 0.0).select(left.array() / whole.array(), 0.0).maxCoeff(&pivot);
    if (!(share > negligible_share)) return MatrixXd(root.leftCols(rank));
    if (rank == most) return std::nullopt;
    root.col(rank) = column_of(packed, pivot, d);
    // Only the pivot's column of the scatter is ever looked at: O(D rank) for a step.
    root.col(rank).noalias() -= root.leftCols(rank) * root.row(pivot).head(rank).transpose();
    root.col(rank) /= std::sqrt(left(pivot));
    left.array() -= root.col(rank).array().square();
    // Exactly, so that rounding cannot make it a pivot again.
    left(pivot) = 0.0;
  }
}

// L' V^-1 L, its lower triangle alone.
MatrixXd gram(const MatrixXd& l, const VectorXd& v) {
  const MatrixXd scaled = v.cwiseSqrt().cwiseInverse().asDiagonal() * l;
  MatrixXd product = MatrixXd::Zero(l.cols(), l.cols());
  product.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  return product;
}

std::vector<double> row_by_row(const MatrixXd& matrix) {
  std::vector<double> values(static_cast<std::size_t>(matrix.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(values.data(), matrix.rows(),
                                                                                     matrix.cols()) = matrix;
  return values;
}

}  // namespace

std::optional<FewRows> FewRows::find(const NormalWishart& prior, std::span<const double> b0, ConstStatsRef stats) {
  const std::size_t n_columns = b0.size();
  const auto [weight, mean, scatter] = gaussian_parts(stats, n_columns);
  const std::size_t most = n_columns / columns_per_row;
  if (n_columns < least_columns || weight > static_cast<double>(most)) return std::nullopt;
  const auto d = static_cast<Index>(n_columns);
  std::optional<MatrixXd> root = root_of_scatter(scatter, d, static_cast<Index>(most));
  if (!root) return std::nullopt;
  root->conservativeResize(Eigen::NoChange, root->cols() + 1);
  // The shift of the mean is one more direction.
  const double share = std::max(0.0, weight) * prior.xi0 / (prior.xi0 + std::max(0.0, weight));
  root->rightCols(1) = std::sqrt(share) * (as_vector(mean) - as_vector(prior.m0));
  return FewRows(std::move(*root), b0, prior.rounding, std::max(0.0, weight));
}

FewRows::FewRows(MatrixXd l, std::span<const double> b0, std::span<const double> rounding, double weight)
    : l_(std::move(l)), b0_(as_vector(b0)), rounding_(VectorXd::Zero(b0_.size())), weight_(weight) {
  if (!rounding.empty()) {
    rounding_ = as_vector(rounding);
  } else {
    gram_ = gram(l_, b0_);
  }
}

// Without rounding, L' V^-1 L is the same for every f but for a factor.
double FewRows::log_det(double multiple) const {
  const VectorXd v = multiple * b0_ + weight_ * rounding_;
  // The identity is added after: no eigenvalue is below 1.
  MatrixXd inside = gram_.size() > 0 ? MatrixXd(gram_ / multiple) : gram(l_, v);
  inside.diagonal().array() += 1.0;
  return v.array().log().sum() + internal::log_det(factorize(inside, "the scatter matrix of a cluster"));
}

std::optional<ReducedScatter> FewRows::reduced() const {
  if (gram_.size() == 0) return std::nullopt;
  kernels::SquareMatrix scaled(static_cast<std::size_t>(gram_.rows()));
  for (Index i = 0; i < gram_.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      scaled.row(static_cast<std::size_t>(i))[j] = scaled.row(static_cast<std::size_t>(j))[i] = gram_(i, j);
    }
  }
  return ReducedScatter(scaled, static_cast<std::size_t>(b0_.size()));
}

double FewRows::share_of_prior() const {
  const VectorXd added = l_.rowwise().squaredNorm() + weight_ * rounding_;
  return added.cwiseQuotient(b0_).mean();
}

FactoredB FewRows::factored(double multiple, double eta) const {
  return factored_with(multiple * b0_ + weight_ * rounding_, eta);
}

FactoredB FewRows::factored_with_next(double multiple, double eta) const {
  return factored_with(multiple * b0_ + (weight_ + 1.0) * rounding_, eta);
}

// With V^-1/2 L = Q U, U triangular: B^-1 = V^-1/2 (I - Q Q' + Q (I + U U')^-1 Q') V^-1/2.
FactoredB FewRows::factored_with(const VectorXd& v, double eta) const {
  const Index rank = l_.cols();
  const VectorXd scale = v.cwiseSqrt().cwiseInverse();
  const Eigen::HouseholderQR<MatrixXd> qr(scale.asDiagonal() * l_);
  const MatrixXd q = qr.householderQ() * MatrixXd::Identity(l_.rows(), rank);
  const MatrixXd u = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  const MatrixXd square = MatrixXd::Identity(rank, rank) + u * u.transpose();
  const Eigen::LLT<MatrixXd> factor = factorize(square, "the scatter matrix of a cluster");
  const MatrixXd inside = factor.matrixL().solve(MatrixXd::Identity(rank, rank));

  const VectorXd scale_of_cost = std::sqrt(eta / 2.0) * scale;
  const VectorXd diagonal = v + l_.rowwise().squaredNorm();
  return {PrecisionRoot(kernels::LowRankRoot{static_cast<std::size_t>(rank),
                                             {scale_of_cost.begin(), scale_of_cost.end()},
                                             row_by_row(q),
                                             row_by_row(inside)}),
          v.array().log().sum() + internal::log_det(factor),
          {diagonal.begin(), diagonal.end()}};
}

}  // namespace coppice::internal
