// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice {

// What to do where a table has columns of words and numbers are wanted, for messages.
[[nodiscard]] inline std::string how_to_choose_numbers(const Dataset& table) {
  std::vector<std::string> numeric;
  for (const Column& column : table.columns()) numeric.push_back(column.name);
  return numeric.empty() ? std::string("the table has no numeric columns")
                         : fmt::format("choose the numeric ones with --columns {}", fmt::join(numeric, ","));
}

}  // namespace coppice
