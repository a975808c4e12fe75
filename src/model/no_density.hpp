// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

// What to throw at a row whose density is no number. The table is as the model clusters it.
[[nodiscard]] DataError no_density(const Dataset& rows, std::size_t row);

}  // namespace coppice::internal
