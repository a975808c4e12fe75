// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A square matrix whose rows begin at a line of the cache, with zeros behind the last column up to a multiple of eight.

#include <cstddef>

#include "coppice/kernels/aligned.hpp"

namespace coppice::kernels {

class SquareMatrix {
 public:
  explicit SquareMatrix(std::size_t n) : n_(n), stride_((n + 7) / 8 * 8), values_(n * stride_, 0.0) {}

  [[nodiscard]] std::size_t n() const noexcept { return n_; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] double* row(std::size_t i) noexcept { return values_.data() + i * stride_; }
  [[nodiscard]] const double* row(std::size_t i) const noexcept { return values_.data() + i * stride_; }

 private:
  std::size_t n_;
  std::size_t stride_;
  AlignedVector<double> values_;
};

}  // namespace coppice::kernels
