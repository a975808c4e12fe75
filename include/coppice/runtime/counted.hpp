// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers of things in messages: "1 row", "2 rows".

#include <cstdint>
#include <string>
#include <string_view>

namespace coppice::internal {

// The noun as it stands behind a number; `many` where an s is not enough.
[[nodiscard]] inline std::string plural(std::uint64_t n, std::string_view one, std::string_view many = {}) {
  if (n == 1) return std::string(one);
  return many.empty() ? std::string(one) + "s" : std::string(many);
}

[[nodiscard]] inline std::string counted(std::uint64_t n, std::string_view one, std::string_view many = {}) {
  return std::to_string(n) + " " + plural(n, one, many);
}

}  // namespace coppice::internal
