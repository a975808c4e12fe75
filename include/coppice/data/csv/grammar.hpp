// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where lines and fields end: the rules that all who walk over a text table share.

#include <array>
#include <cstddef>
#include <string_view>

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
  // A line that begins with '#', unless that is the first letter of a spreadsheet's #N/A or #DIV/0!.
  [[nodiscard]] bool begins_comment(const char* at) const noexcept {
    if (at == end || *at != '#') return false;
    constexpr std::array<std::string_view, 7> marks{"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"};
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    for (const std::string_view mark : marks) {
      if (rest.starts_with(mark) && is_field_end(after_padding(at + mark.size()))) return false;
    }
    return true;
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
