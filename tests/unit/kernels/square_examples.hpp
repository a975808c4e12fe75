// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Symmetric matrices to take to pieces.

#include <cstdint>

#include "coppice/kernels/square_matrix.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::kernels {

// A matrix of n x n without negative eigenvalues, of the given rank.
inline SquareMatrix random_square(std::size_t n, std::size_t rank, std::uint64_t seed) {
  internal::RandomStream random{seed, internal::Purpose::test};
  std::vector<double> rows(n * rank);
  for (double& value : rows) value = random.normal();
  SquareMatrix square(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < rank; ++k) square.row(i)[j] += rows[i * rank + k] * rows[j * rank + k];
    }
  }
  return square;
}

}  // namespace coppice::kernels
