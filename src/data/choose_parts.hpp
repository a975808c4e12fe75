// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "coppice/data/format.hpp"

namespace coppice::internal {

// Gives the columns of a table their parts as the options ask: data, row names, weights, and their kinds. `file` is for
// messages.
[[nodiscard]] Dataset choose_parts(const StoredTable& table, const ReadOptions& options, const std::string& file);

}  // namespace coppice::internal
