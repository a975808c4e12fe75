// SPDX-License-Identifier: BSD-3-Clause
// Centred rows in parts of at most 256, each a rank update of the lower triangle: O(N D^2), then O(D^3) for
// eigenvectors. Blocks are added up in their fixed order, whatever the number of threads.

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "data/transform/column_ranges.hpp"
#include "data/transform/linear_map.hpp"
#include "data/transform/principal_directions.hpp"

namespace coppice::internal {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

// Its lower triangle alone.
std::vector<double> covariance(const Execution& execution, const CentredRows& rows) {
  const std::size_t n_columns = rows.data.n_columns();
  const auto size = static_cast<Index>(n_columns);
  const std::size_t n_at_a_time = rows_at_a_time(n_columns);
  const Blocks blocks{.n_items = rows.data.n_rows()};
  const OrderedSum sum{.size = n_columns * n_columns,
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             Eigen::Map<Eigen::MatrixXd> squares(total.data(), size, size);
                             RowMajor part(static_cast<Index>(n_at_a_time), size);
                             for (std::size_t first = blocks.first(block); first < blocks.last(block);
                                  first += n_at_a_time) {
                               const std::size_t last = std::min(first + n_at_a_time, blocks.last(block));
                               rows.copy(first, last, part.data());
                               squares.selfadjointView<Eigen::Lower>().rankUpdate(
                                   part.topRows(static_cast<Index>(last - first)).transpose());
                             }
                           },
                       .merge = add_all};
  std::vector<double> result = ordered_sum(execution, blocks, sum);
  for (double& value : result) value /= rows.total_weight;
  return result;
}

}  // namespace

PrincipalDirections directions_of_covariance(const Execution& execution, const CentredRows& rows,
                                             std::size_t n_directions) {
  const std::vector<double> values = covariance(execution, rows);
  const auto size = static_cast<Index>(rows.data.n_columns());
  const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), size, size);
  // It reads the lower triangle alone.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);  // smallest first
  PrincipalDirections result;
  for (std::size_t i = 0; i < n_directions; ++i) {
    const Index at = size - 1 - static_cast<Index>(i);
    const Eigen::VectorXd direction = solver.eigenvectors().col(at);
    result.directions.insert(result.directions.end(), direction.begin(), direction.end());
    result.variances.push_back(solver.eigenvalues()[at]);
  }
  result.total_variance = matrix.trace();
  return result;
}

}  // namespace coppice::internal
