// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

// Columns by their names, for messages, however many there are: "'a', 'b' and 3 more".
[[nodiscard]] inline std::string some_columns(const Dataset& data, const std::vector<std::size_t>& columns) {
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(columns.size(), most); ++i) {
    names.push_back(fmt::format("'{}'", data.columns()[columns[i]].name));
  }
  if (columns.size() > most) return fmt::format("{} and {} more", fmt::join(names, ", "), columns.size() - most);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace coppice::internal
