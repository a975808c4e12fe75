// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tests that would take long run over a part of their cases, enough to fail; over all of them only if COPPICE_SLOW is
// set, as scripts/test --slow does.

#include <cstdlib>

namespace coppice {

template <class Number>
[[nodiscard]] Number n_cases(Number some, Number all) {
  return std::getenv("COPPICE_SLOW") == nullptr ? some : all;
}

}  // namespace coppice
