// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Symmetric matrices reduced to a diagonal and what stands beside it, A = Q T Q'. Then log |A + s I| = log |T + s I|
// takes a few operations per column for any s.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/kernels/square_matrix.hpp"

namespace coppice::kernels {

struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> squares;  // of the entries beside the diagonal, one less than of those on it
};

// By Householder reflections that leave the first coordinate where it is: the first column of Q is that of the
// identity. Both halves of the matrix are given; it is taken to pieces.
[[nodiscard]] Tridiagonal tridiagonalize(SquareMatrix& matrix);

// out[i] = log |T + shifts[i] I| of a matrix T without negative eigenvalues, but for rounding, and positive shifts.
void shifted_log_dets(const Tridiagonal& t, std::span<const double> shifts, double* out);

}  // namespace coppice::kernels
