// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

// The (up to) n contents that come first in content order (row_draw.hpp), each once and with the weight of all its
// copies: a sample that depends neither on the order of the rows nor on how often they are repeated. Names and kinds of
// the columns are kept, row names are not.
[[nodiscard]] Dataset distinct_sample(const Execution& execution, const Dataset& data, std::size_t n);

}  // namespace coppice::internal
