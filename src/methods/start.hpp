// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/methods/describe.hpp"

namespace coppice {

// Labels to start from: given as they are (one whole number per row), or as centres (one row each) whose nearest rows
// they get. OptionError if the table is neither.
[[nodiscard]] std::vector<std::int32_t> start_labels(const Table& init, const Rows& rows);

}  // namespace coppice
