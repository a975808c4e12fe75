// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B = f B0 + S of a cluster of fewer rows than columns, for any multiple f of a diagonal B0, where S = L L' + N R is
// what its rows add: L has as many columns as the cluster has rows. With the diagonal V = f B0 + N R,
//   log |B| = log |V| + log |I + L' V^-1 L|,
// so that nothing of columns x columns is factorized.

#include <Eigen/Dense>
#include <optional>
#include <span>

#include "coppice/family/gaussian.hpp"
#include "family/reduced_scatter.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

class FewRows {
 public:
  // Nothing if there are so many rows, or so few columns, that the whole matrix is as fast. `b0` is the diagonal of B0.
  static std::optional<FewRows> find(const NormalWishart& prior, std::span<const double> b0, ConstStatsRef stats);

  [[nodiscard]] double log_det(double multiple) const;
  [[nodiscard]] std::optional<ReducedScatter> reduced() const;  // if nothing is rounded
  [[nodiscard]] double share_of_prior() const;  // the mean over columns of S's diagonal in units of B0's
  [[nodiscard]] FactoredB factored(double multiple, double eta) const;
  [[nodiscard]] FactoredB factored_with_next(double multiple, double eta) const;  // B + R

 private:
  FewRows(Eigen::MatrixXd l, std::span<const double> b0, std::span<const double> rounding, double weight);
  [[nodiscard]] FactoredB factored_with(const Eigen::VectorXd& v, double eta) const;

  Eigen::MatrixXd l_;
  Eigen::VectorXd b0_;
  Eigen::VectorXd rounding_;  // R
  double weight_;             // N
  Eigen::MatrixXd gram_;      // L' B0^-1 L, its lower triangle alone, if nothing is rounded
};

}  // namespace coppice::internal
