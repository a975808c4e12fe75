// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether the first line of a text table may have been taken for the wrong thing.

#include <string>

#include "coppice/data/csv/layout.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice::csv {

// A sentence for the user where the first line was read as a row but looks like names, such as 2019,2020,2021, or was
// read as names but looks like a row; empty where there is no doubt. Only the first rows are looked at.
[[nodiscard]] Text header_doubt(const Layout& layout, const std::string& file);

}  // namespace coppice::csv
