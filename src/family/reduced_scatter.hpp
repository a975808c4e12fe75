// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// log |f B0 + S| for many multiples f of a diagonal B0. The eigenvalues of B0^-1/2 S B0^-1/2 need not be known: reduced
// to a tridiagonal matrix T once, log |f B0 + S| = log |B0| + log |f I + T| takes a few operations per column.
//
// T is exact beside the largest eigenvalue, and not beside f: good to compare multiples by, while the evidence at the
// best one is found from factors of B itself.

#include <cmath>
#include <span>

#include "coppice/kernels/tridiagonal.hpp"

namespace coppice::internal {

class ReducedScatter {
 public:
  // Takes B0^-1/2 S B0^-1/2 to pieces; or L' B0^-1 L, which has the same eigenvalues but for zeros, if S = L L'.
  ReducedScatter(kernels::SquareMatrix& scaled, std::size_t n_columns)
      : n_zeros_(static_cast<double>(n_columns) - static_cast<double>(scaled.n())),
        t_(kernels::tridiagonalize(scaled)) {}

  // Less log |B0|.
  void log_dets(std::span<const double> multiples, double* out) const {
    kernels::shifted_log_dets(t_, multiples, out);
    if (n_zeros_ == 0.0) return;
    for (std::size_t i = 0; i < multiples.size(); ++i) out[i] += n_zeros_ * std::log(multiples[i]);
  }

 private:
  double n_zeros_;
  kernels::Tridiagonal t_;
};

}  // namespace coppice::internal
