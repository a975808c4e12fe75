// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace coppice {

// What one of several families came to: by the soft bound, or, where that is not the currency of the fit, by the
// objective.
struct FamilyResult {
  std::string family;
  std::size_t k = 0;
  double objective = 0.0;
};

}  // namespace coppice
