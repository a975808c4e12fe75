// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

// A table of its own of the chosen rows, in the order given, with their weights. Names and kinds of the columns are
// kept, row names are not.
[[nodiscard]] Dataset choose_rows(const Dataset& data, std::span<const std::size_t> rows);

}  // namespace coppice::internal
