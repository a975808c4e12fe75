// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The mathematics behind wishart_family.hpp, in matrices.

#include <Eigen/Dense>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/family/wishart_family.hpp"
#include "coppice/kernels/square_matrix.hpp"

namespace coppice::internal {

// The statistics with their parts named.
template <class Double>
struct GaussianParts {
  Double& weight;
  std::span<Double> mean;
  std::span<Double> scatter;  // packed
};

template <class Double>
[[nodiscard]] GaussianParts<Double> gaussian_parts(std::span<Double> stats, std::size_t d) {
  return {stats[0], stats.subspan(1, d), stats.subspan(1 + d)};
}

[[nodiscard]] Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> values);
[[nodiscard]] Eigen::MatrixXd unpack_symmetric(std::span<const double> packed, std::size_t d);
[[nodiscard]] kernels::SquareMatrix unpack_square(std::span<const double> packed, std::size_t d);
[[nodiscard]] double log_det(const Eigen::LLT<Eigen::MatrixXd>& factor);

// NumericError if the matrix is not positive definite.
[[nodiscard]] Eigen::LLT<Eigen::MatrixXd> factorize(const Eigen::MatrixXd& b, std::string_view what);
// The same of the scatter of a cluster, for the functions of kernels/cholesky.hpp.
[[nodiscard]] kernels::SquareMatrix factor_of(const kernels::SquareMatrix& b);

// log Z(eta, B) of the Wishart density |Omega|^((eta - D - 1) / 2) exp(-tr(B Omega) / 2) / Z
[[nodiscard]] double log_wishart_normalizer(double eta, double log_det_b, std::size_t d);
// E[log |Omega|]
[[nodiscard]] double expected_log_det(const WishartPosterior& q);

// B as costs need it.
struct FactoredB {
  PrecisionRoot w;  // W' W = (eta / 2) B^-1
  double log_det = 0.0;
  std::vector<double> diagonal;
};
[[nodiscard]] FactoredB factored(const kernels::SquareMatrix& b, double eta);

struct WishartNumbers {
  std::vector<double> m;
  double xi = 0.0;
  double eta = 0.0;
};
[[nodiscard]] WishartPosterior wishart_posterior(WishartNumbers numbers, FactoredB b);
// Every row adds `rounding` (a variance per column) to the scatter, and its expected cost to the cost; then predictive
// densities go by B + R.
void add_rounding(WishartPosterior& q, std::span<const double> rounding, FactoredB next_b);

}  // namespace coppice::internal
