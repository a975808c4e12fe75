// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "coppice/runtime/text.hpp"

namespace coppice {

// What programs see that print warnings without a spelling of their own.
inline std::vector<std::string> plain(const std::vector<Text>& texts) {
  std::vector<std::string> strings;
  for (const Text& text : texts) strings.push_back(text.plain());
  return strings;
}

}  // namespace coppice
