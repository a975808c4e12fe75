// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where lines and fields end: the rules that all who walk over a text table share.

namespace coppice::csv {

inline constexpr char blanks = ' ';  // the separator "runs of blanks"

struct Grammar {
  char separator = ',';
  const char* end = nullptr;  // of the bytes

  [[nodiscard]] bool is_blank(const char* at) const noexcept {
    return at != end && (*at == ' ' || (*at == '\t' && separator != '\t'));
  }
  // Also the end of the bytes.
  [[nodiscard]] bool is_line_end(const char* at) const noexcept {
    return at == end || *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] == '\n'));
  }
  [[nodiscard]] bool is_field_end(const char* at) const noexcept {
    if (is_line_end(at)) return true;
    return separator == blanks ? is_blank(at) : *at == separator;
  }
  [[nodiscard]] const char* after_blanks(const char* at) const noexcept {
    while (is_blank(at)) ++at;
    return at;
  }
  // Where a field may end whose last byte is before `at`: blanks before a separator belong to neither.
  [[nodiscard]] const char* after_padding(const char* at) const noexcept {
    return separator == blanks ? at : after_blanks(at);
  }
};

}  // namespace coppice::csv
