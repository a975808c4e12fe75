// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The log evidence of a Gaussian cluster of any shape whose rows stay, as xi0, eta0 and the factor c of B0 = c V
// change, V a diagonal that stays as well: after one reduction, every answer takes a few operations per column.
//
//   B = f c V + S0 + s u u',   S0 = scatter + N R,   u = xbar - m0,   s = N xi0 / (N + xi0)
//
// With V^-1/2 u turned into the direction of the first column, and V^-1/2 S0 V^-1/2 reduced to T by reflections that
// leave that column where it is, s adds to the first entry of T alone.

#include <span>

#include "coppice/family/gaussian.hpp"
#include "coppice/family/wishart_evidence.hpp"
#include "coppice/kernels/tridiagonal.hpp"

namespace coppice::internal {

class EvidenceByPrior {
 public:
  EvidenceByPrior() = default;
  // Of the prior, m0 and the rounding; `v` is the diagonal of V.
  EvidenceByPrior(const NormalWishart& prior, std::span<const double> v, ConstStatsRef stats, double n_rows);

  // With B0 = c V, whose log determinant `prior` knows.
  [[nodiscard]] double log_evidence(const WishartEvidence& prior, double c);

 private:
  WeighedRows rows_;
  double log_det_v_ = 0.0;
  kernels::Tridiagonal t_;
  double first_ = 0.0;          // entry of T, without the mean's part
  double squared_shift_ = 0.0;  // u' V^-1 u
};

}  // namespace coppice::internal
