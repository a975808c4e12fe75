// SPDX-License-Identifier: BSD-3-Clause
#include "whole_number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>

namespace coppice::cli {

std::string unfit_whole_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) {
    return fmt::format("'{}' is not a whole number", text);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{}) return {};
  return fmt::format("{} is too large; whole numbers go up to {}", text, std::numeric_limits<std::uint64_t>::max());
}

}  // namespace coppice::cli
