// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coppice::cli {

// The entries of a list of names: cut at commas, but not inside of double quotes that an entry begins with. A quote
// inside quotes is written twice; quotes that never close are letters like others.
[[nodiscard]] std::vector<std::string> split_list(std::string_view list);

}  // namespace coppice::cli
