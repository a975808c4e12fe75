// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B = f B0 + S of a cluster, for any multiple f of B0, where S = scatter + N R + (N xi0 / xi) (xbar - m0)(xbar - m0)'
// is what its rows add ([L] Eq. 18).

#include <Eigen/Dense>
#include <span>

#include "coppice/family/gaussian.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

[[nodiscard]] inline Eigen::MatrixXd square_matrix(std::span<const double> row_by_row, std::size_t d) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(d);
  return Eigen::Map<const RowMajor>(row_by_row.data(), n, n);
}

class WholeMatrix {
 public:
  WholeMatrix(const NormalWishart& prior, ConstStatsRef stats)
      : b0_(square_matrix(prior.b0, prior.m0.size())), rounding_(prior.rounding) {
    const auto [weight, mean, scatter] = gaussian_parts(stats, prior.m0.size());
    added_ = unpack_symmetric(scatter, prior.m0.size());
    if (weight <= 0.0) return;
    const Eigen::VectorXd shift = as_vector(mean) - as_vector(prior.m0);
    if (!rounding_.empty()) added_.diagonal() += weight * as_vector(rounding_);
    added_.noalias() += (weight * prior.xi0 / (prior.xi0 + weight)) * shift * shift.transpose();
  }

  [[nodiscard]] Eigen::MatrixXd at(double multiple) const { return multiple * b0_ + added_; }
  [[nodiscard]] double log_det(double multiple) const {
    return internal::log_det(factorize(at(multiple), "the scatter matrix of a cluster"));
  }
  // The mean over columns of S's diagonal in units of B0's.
  [[nodiscard]] double share_of_prior() const { return added_.diagonal().cwiseQuotient(b0_.diagonal()).mean(); }
  [[nodiscard]] FactoredB factored(double multiple, double eta) const { return internal::factored(at(multiple), eta); }
  [[nodiscard]] FactoredB factored_with_next(double multiple, double eta) const {  // of B + R
    Eigen::MatrixXd b = at(multiple);
    b.diagonal() += as_vector(rounding_);
    return internal::factored(b, eta);
  }

 private:
  Eigen::MatrixXd b0_;
  Eigen::MatrixXd added_;
  std::span<const double> rounding_;
};

}  // namespace coppice::internal
