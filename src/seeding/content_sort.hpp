// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Puts rows into content order (row_draw.hpp), copies by row number.

#include <cstddef>
#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

void sort_by_content(const Dataset& data, std::span<std::size_t> rows);

}  // namespace coppice::internal
