// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Factors of a positive definite matrix, and what the costs of a Gaussian cluster need of them.

#include "coppice/kernels/square_matrix.hpp"

namespace coppice::kernels {

// A = R' R, R in the upper half. Of A the upper half is read, and what is below it means nothing afterwards. False,
// with A in pieces, if it is not positive definite.
[[nodiscard]] bool factorize(SquareMatrix& a);

// log |A| of a factorized A.
[[nodiscard]] double log_det_of_factor(const SquareMatrix& r);

// The lower triangle R'^-1, with zeros above it.
[[nodiscard]] SquareMatrix inverse_of_factor(const SquareMatrix& r);

// W' W of a lower triangle with zeros above it; both halves.
[[nodiscard]] SquareMatrix gram_of_triangle(const SquareMatrix& w);

}  // namespace coppice::kernels
