// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice::kernels {

// low <= x <= high, column by column, and the candidates that compete for its rows.
//
// Pointers and no spans: a box is written and at once read, and what was written in two halves is slow to be read back
// as a whole.
struct ContestedBox {
  const double* low = nullptr;
  const double* high = nullptr;
  std::int32_t* candidates = nullptr;
  std::size_t n = 0;  // of them

  [[nodiscard]] std::span<std::int32_t> list() const noexcept { return {candidates, n}; }
};

}  // namespace coppice::kernels
