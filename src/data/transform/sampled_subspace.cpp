// SPDX-License-Identifier: BSD-3-Clause
// Legend: S = covariance of the rows; Q = an orthonormal basis, columns of the table by n_basis, that S turns step by
// step towards its leading eigenvectors.
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "coppice/runtime/random.hpp"
#include "data/transform/column_ranges.hpp"
#include "data/transform/linear_map.hpp"
#include "data/transform/principal_directions.hpp"
#include "data/transform/step.hpp"

namespace coppice::internal {

namespace {

// A few directions more than are wanted, and a few powers of S: both are for spectra that fall slowly.
constexpr std::size_t oversampling = 10;
constexpr std::size_t n_power_iterations = 4;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::RowVectorXd;
using Index = Eigen::Index;

Index to_index(std::size_t n) { return static_cast<Index>(n); }

// Coordinates of centred rows in a basis, and sums over them; sparse rows are never filled up.
class BasisSums {
 public:
  BasisSums(const Execution& execution, const CentredRows& rows, const RowMajor& basis)
      : execution_(execution), rows_(rows), basis_(basis), blocks_{.n_items = rows.data.n_rows()} {
    RowVector mean = RowVector::Map(rows.mean.data(), basis.rows()) * rows.factor;
    mean_coordinates_ = mean * basis;
  }

  // S Q, not divided by the total weight: only its span matters. The coordinates y of centred rows add up to zero, so
  // that sum w x y' needs no centred x: sparse rows stay as they are.
  [[nodiscard]] RowMajor times_covariance() const {
    const OrderedSum sum{.size = static_cast<std::size_t>(basis_.size()),
                         .add =
                             [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                               Eigen::Map<RowMajor> product(total.data(), basis_.rows(), basis_.cols());
                               if (rows_.data.is_sparse()) {
                                 add_sparse(block, product);
                               } else {
                                 add_dense(block, product);
                               }
                             },
                         .merge = add_all};
    const std::vector<double> total = ordered_sum(execution_, blocks_, sum);
    return RowMajor::Map(total.data(), basis_.rows(), basis_.cols());
  }

  // Q' S Q
  [[nodiscard]] Eigen::MatrixXd covariance_inside() const {
    const Index n_basis = basis_.cols();
    const OrderedSum sum{.size = static_cast<std::size_t>(n_basis * n_basis),
                         .add =
                             [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                               Eigen::Map<Eigen::MatrixXd> squares(total.data(), n_basis, n_basis);
                               for_each_part(block, [&](const RowMajor& /*part*/, const RowMajor& coordinates) {
                                 squares.noalias() += coordinates.transpose() * coordinates;
                               });
                             },
                         .merge = add_all};
    const std::vector<double> total = ordered_sum(execution_, blocks_, sum);
    return Eigen::MatrixXd::Map(total.data(), n_basis, n_basis) / rows_.total_weight;
  }

 private:
  void add_dense(std::size_t block, Eigen::Map<RowMajor>& product) const {
    for_each_part(block, [&](const RowMajor& part, const RowMajor& coordinates) {
      product.noalias() += part.transpose() * coordinates;
    });
  }

  void add_sparse(std::size_t block, Eigen::Map<RowMajor>& product) const {
    for (std::size_t row = blocks_.first(block); row < blocks_.last(block); ++row) {
      const RowVector coordinates = rows_.weight(row) * sparse_coordinates(row);
      const SparseRow entries = rows_.data.sparse_row(row);
      for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        product.row(entries.columns[entry]) += entries.value(entry) * rows_.factor * coordinates;
      }
    }
  }

  [[nodiscard]] RowVector sparse_coordinates(std::size_t row) const {
    RowVector coordinates = -mean_coordinates_;
    const SparseRow entries = rows_.data.sparse_row(row);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      coordinates += entries.value(entry) * rows_.factor * basis_.row(entries.columns[entry]);
    }
    return coordinates;
  }

  // visit(rows, their coordinates), both times the square roots of the weights; of sparse rows the coordinates alone.
  template <class Visit>
  void for_each_part(std::size_t block, const Visit& visit) const {
    const std::size_t n_at_a_time = rows_at_a_time(rows_.data.n_columns());
    RowMajor part;
    RowMajor coordinates;
    for (std::size_t first = blocks_.first(block); first < blocks_.last(block); first += n_at_a_time) {
      const std::size_t last = std::min(first + n_at_a_time, blocks_.last(block));
      if (rows_.data.is_sparse()) {
        coordinates.resize(to_index(last - first), basis_.cols());
        for (std::size_t row = first; row < last; ++row) {
          coordinates.row(to_index(row - first)) = std::sqrt(rows_.weight(row)) * sparse_coordinates(row);
        }
      } else {
        part.resize(to_index(last - first), basis_.rows());
        rows_.copy(first, last, part.data());
        coordinates.noalias() = part * basis_;
      }
      visit(part, coordinates);
    }
  }

  const Execution& execution_;
  const CentredRows& rows_;
  const RowMajor& basis_;
  Blocks blocks_;
  RowVector mean_coordinates_;
};

RowMajor random_basis(std::size_t n_columns, std::size_t n_basis, std::uint64_t seed, std::uint64_t stream) {
  RowMajor basis(to_index(n_columns), to_index(n_basis));
  for (std::size_t column = 0; column < n_columns; ++column) {
    RandomStream random{seed, Purpose::transform, (stream << 32U) | column};
    for (Index at = 0; at < basis.cols(); ++at) basis(to_index(column), at) = random.normal();
  }
  return basis;
}

RowMajor orthonormal(const RowMajor& vectors) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(vectors);
  return qr.householderQ() * Eigen::MatrixXd::Identity(vectors.rows(), vectors.cols());
}

// The sum over columns of their variances; of a sparse column's zeros all at once.
double total_variance(const Execution& execution, const CentredRows& rows) {
  const Blocks blocks{.n_items = rows.data.n_rows()};
  const auto square = [&](double value, std::size_t column) {
    const double centred = rows.centred(column, value);
    return centred * centred;
  };
  double zeros = 0.0;
  for (std::size_t column = 0; column < rows.mean.size(); ++column) zeros += square(0.0, column);
  const auto squares_of_row = [&](std::size_t row) {
    double sum = 0.0;
    if (rows.data.is_sparse()) {
      sum = zeros;
      const SparseRow entries = rows.data.sparse_row(row);
      for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        const std::size_t column = entries.columns[entry];
        sum += square(entries.value(entry), column) - square(0.0, column);
      }
    } else {
      for (std::size_t column = 0; column < rows.mean.size(); ++column)
        sum += square(rows.data.value(row, column), column);
    }
    return sum;
  };
  const OrderedSum sum{.size = 1,
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
                               total[0] += rows.weight(row) * squares_of_row(row);
                             }
                           },
                       .merge = add_all};
  return ordered_sum(execution, blocks, sum)[0] / rows.total_weight;
}

// Accumulators of a sum that may be alive at once, and the copies that the orthonormal basis takes.
void require_memory_for(const Execution& execution, const CentredRows& rows, std::size_t n_basis) {
  const auto n_blocks = static_cast<double>(Blocks{.n_items = rows.data.n_rows()}.count());
  const double alive = 2.0 * static_cast<double>(execution.n_threads()) + std::log2(n_blocks + 1.0) + 4.0;
  const auto n_numbers = static_cast<double>(rows.data.n_columns()) * static_cast<double>(n_basis);
  require_step_memory(alive * n_numbers * static_cast<double>(sizeof(double)), "pca");
}

}  // namespace

PrincipalDirections directions_by_sampling(const Execution& execution, const CentredRows& rows,
                                           std::size_t n_directions, std::uint64_t seed, std::uint64_t stream) {
  const std::size_t n_columns = rows.data.n_columns();
  const std::size_t n_basis = std::min({n_directions + oversampling, n_columns, rows.n_rows});
  require_memory_for(execution, rows, n_basis);
  RowMajor basis = random_basis(n_columns, n_basis, seed, stream);
  for (std::size_t iteration = 0; iteration <= n_power_iterations; ++iteration) {
    // Made orthonormal every time: under powers of S alone all directions would turn to the first.
    basis = orthonormal(BasisSums(execution, rows, basis).times_covariance());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(BasisSums(execution, rows, basis).covariance_inside());
  PrincipalDirections result;
  for (std::size_t i = 0; i < n_directions; ++i) {
    const Index at = to_index(n_basis - 1 - i);
    const Eigen::VectorXd direction = basis * solver.eigenvectors().col(at);
    result.directions.insert(result.directions.end(), direction.begin(), direction.end());
    result.variances.push_back(solver.eigenvalues()[at]);
  }
  result.total_variance = total_variance(execution, rows);
  return result;
}

}  // namespace coppice::internal
