// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B = f B0 + S of a cluster, for any multiple f of B0, where S = scatter + N R + (N xi0 / xi) (xbar - m0)(xbar - m0)'
// is what its rows add ([L] Eq. 18).

#include <cmath>
#include <optional>
#include <span>

#include "coppice/family/gaussian.hpp"
#include "coppice/kernels/cholesky.hpp"
#include "family/reduced_scatter.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

class WholeMatrix {
 public:
  // `diagonal_b0` is empty if there is anything beside B0's diagonal.
  WholeMatrix(const NormalWishart& prior, std::span<const double> diagonal_b0, ConstStatsRef stats)
      : b0_(prior.b0), diagonal_b0_(diagonal_b0), rounding_(prior.rounding), added_(prior.m0.size()) {
    const std::size_t d = added_.n();
    const auto [weight, mean, scatter] = gaussian_parts(stats, d);
    const double share = weight > 0.0 ? weight * prior.xi0 / (prior.xi0 + weight) : 0.0;
    const double* entry = scatter.data();
    for (std::size_t i = 0; i < d; ++i) {
      // The lower triangle is filled and mirrored: kernels want both halves.
      const double of_row = share * (mean[i] - prior.m0[i]);
      double* row = added_.row(i);
      for (std::size_t j = 0; j <= i; ++j) row[j] = *entry++ + of_row * (mean[j] - prior.m0[j]);
      if (weight > 0.0 && !rounding_.empty()) row[i] += weight * rounding_[i];
      for (std::size_t j = 0; j < i; ++j) added_.row(j)[i] = row[j];
    }
  }

  [[nodiscard]] kernels::SquareMatrix at(double multiple) const {
    kernels::SquareMatrix b = added_;
    const std::size_t d = b.n();
    for (std::size_t i = 0; i < d; ++i) {
      if (!diagonal_b0_.empty()) {
        b.row(i)[i] += multiple * diagonal_b0_[i];
      } else {
        for (std::size_t j = 0; j < d; ++j) b.row(i)[j] += multiple * b0_[i * d + j];
      }
    }
    return b;
  }
  [[nodiscard]] double log_det(double multiple) const { return log_det_of_factor(factor_of(at(multiple))); }
  // The mean over columns of S's diagonal in units of B0's.
  [[nodiscard]] double share_of_prior() const {
    const std::size_t d = added_.n();
    double sum = 0.0;
    for (std::size_t i = 0; i < d; ++i) sum += added_.row(i)[i] / b0_[i * (d + 1)];
    return sum / static_cast<double>(d);
  }
  // If B0 is diagonal.
  [[nodiscard]] std::optional<ReducedScatter> reduced() const {
    if (diagonal_b0_.empty()) return std::nullopt;
    const std::size_t d = added_.n();
    std::vector<double> scale(d);
    for (std::size_t i = 0; i < d; ++i) scale[i] = 1.0 / std::sqrt(diagonal_b0_[i]);
    kernels::SquareMatrix scaled = added_;
    for (std::size_t i = 0; i < d; ++i) {
      double* row = scaled.row(i);
      for (std::size_t j = 0; j < d; ++j) row[j] *= scale[i] * scale[j];
    }
    return ReducedScatter(scaled, d);
  }
  [[nodiscard]] FactoredB factored(double multiple, double eta) const { return internal::factored(at(multiple), eta); }
  [[nodiscard]] FactoredB factored_with_next(double multiple, double eta) const {  // of B + R
    kernels::SquareMatrix b = at(multiple);
    for (std::size_t i = 0; i < b.n(); ++i) b.row(i)[i] += rounding_[i];
    return internal::factored(b, eta);
  }

 private:
  std::span<const double> b0_;
  std::span<const double> diagonal_b0_;
  std::span<const double> rounding_;
  kernels::SquareMatrix added_;
};

}  // namespace coppice::internal
