// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One vector times many others, as the scatter of a node times what every cluster makes of it.

#include <cstddef>

namespace coppice::kernels {

// out[i] = x . vectors_i for so many vectors of n numbers, which stand one after the other.
void dot_products(const double* x, std::size_t n, const double* vectors, std::size_t n_vectors, double* out) noexcept;

}  // namespace coppice::kernels
