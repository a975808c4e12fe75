// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

// A name as lists of columns take it: in quotes if it holds what separates names.
[[nodiscard]] inline std::string in_a_list(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// What to do where a table has columns of words and numbers are wanted, for messages.
[[nodiscard]] inline Text how_to_choose_numbers(const Dataset& table) {
  std::vector<std::string> numeric;
  for (const Column& column : table.columns()) numeric.push_back(in_a_list(column.name));
  if (numeric.empty()) return "the table has no numeric columns";
  return format_text("choose the numeric ones with {}", option("columns", fmt::format("{}", fmt::join(numeric, ","))));
}

}  // namespace coppice::internal
