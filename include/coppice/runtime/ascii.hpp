// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Letters of ASCII, whatever the locale: which other letters belong together depends on the language.

#include <algorithm>
#include <string>
#include <string_view>

namespace coppice::ascii {

[[nodiscard]] constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

[[nodiscard]] constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), to_lower);
  return small;
}

// Whether a text is that word, which is in lower case, in any case.
[[nodiscard]] inline bool is_word(std::string_view text, std::string_view word) noexcept {
  return std::ranges::equal(text, word, {}, to_lower);
}

}  // namespace coppice::ascii
