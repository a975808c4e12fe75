// SPDX-License-Identifier: BSD-3-Clause
// Legend: X = centred rows, n x D; X X' u = l u makes v = X' u / sqrt(l) an eigenvector of X' X with the same l.
// With n rows and more columns than that: O(n^2 D), and eigenvectors of an n x n matrix in place of a D x D one.

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "data/transform/principal_directions.hpp"
#include "data/transform/step.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixXd rows_as_columns(const CentredRows& rows) {
  const std::size_t n_rows = rows.data.n_rows();
  const std::size_t n_columns = rows.data.n_columns();
  require_step_memory(2.0 * static_cast<double>(n_rows) * static_cast<double>(n_columns) * sizeof(double), "pca");
  MatrixXd columns(static_cast<Index>(n_columns), static_cast<Index>(n_rows));
  rows.copy(0, n_rows, columns.data());
  return columns;
}

}  // namespace

PrincipalDirections directions_of_few_rows(const CentredRows& rows, std::size_t n_directions) {
  const MatrixXd transposed = rows_as_columns(rows);
  const auto wanted = static_cast<Index>(n_directions);
  const MatrixXd gram = transposed.transpose() * transposed / rows.total_weight;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);  // smallest first
  MatrixXd directions = transposed * solver.eigenvectors().rightCols(wanted).rowwise().reverse();
  const Eigen::VectorXd variances = solver.eigenvalues().tail(wanted).reverse();
  for (Index i = 0; i < wanted; ++i) {
    const double length = directions.col(i).norm();
    if (length > 0.0) directions.col(i) /= length;
  }
  // What rounding has left of wide directions in narrow ones is taken out again.
  const Eigen::HouseholderQR<MatrixXd> qr(directions);
  directions = qr.householderQ() * MatrixXd::Identity(directions.rows(), wanted);
  return {
      {directions.data(), directions.data() + directions.size()}, {variances.begin(), variances.end()}, gram.trace()};
}

}  // namespace coppice::internal
