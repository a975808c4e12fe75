// SPDX-License-Identifier: BSD-3-Clause
#include "printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace coppice::cli {

namespace {

// One character of UTF-8, or a byte that is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t n_bytes = 1;
  bool is_valid = false;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80U) return {lead, 1, true};
  const std::size_t n_bytes = lead >= 0xF0U && lead < 0xF5U ? 4 : lead >= 0xE0U && lead < 0xF0U ? 3 : 2;
  if (lead < 0xC2U || lead >= 0xF5U || text.size() < n_bytes) return {lead, 1, false};
  std::uint32_t code = lead & (0xFFU >> (n_bytes + 1));
  for (std::size_t at = 1; at < n_bytes; ++at) {
    if ((byte(at) & 0xC0U) != 0x80U) return {lead, 1, false};
    code = code << 6U | (byte(at) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};  // shorter forms are not allowed
  const bool is_surrogate = code >= 0xD800U && code < 0xE000U;
  if (code < least[n_bytes] || code > 0x10FFFFU || is_surrogate) return {lead, 1, false};
  return {code, n_bytes, true};
}

struct Codes {
  std::uint32_t first;
  std::uint32_t last;
};

bool is_among(std::uint32_t code, std::span<const Codes> ranges) {
  return std::ranges::any_of(ranges, [=](const Codes& range) { return code >= range.first && code <= range.last; });
}

// Controls, line ends and marks of direction.
constexpr std::array<Codes, 7> harmful{{{0x00, 0x1F},
                                        {0x7F, 0x9F},
                                        {0x061C, 0x061C},
                                        {0x200E, 0x200F},
                                        {0x2028, 0x202E},
                                        {0x2066, 0x2069},
                                        {0xFEFF, 0xFEFF}}};
// Combining marks, joiners and variation selectors of the scripts met most.
constexpr std::array<Codes, 16> without_width{{{0x0300, 0x036F},
                                               {0x0483, 0x0489},
                                               {0x0591, 0x05BD},
                                               {0x0610, 0x061A},
                                               {0x064B, 0x065F},
                                               {0x093C, 0x093C},
                                               {0x0941, 0x0948},
                                               {0x0E31, 0x0E31},
                                               {0x0E34, 0x0E3A},
                                               {0x0E47, 0x0E4E},
                                               {0x1AB0, 0x1AFF},
                                               {0x1DC0, 0x1DFF},
                                               {0x200B, 0x200D},
                                               {0x20D0, 0x20FF},
                                               {0xFE00, 0xFE0F},
                                               {0xFE20, 0xFE2F}}};
// Chinese, Japanese, Korean, full-width forms, emoji.
constexpr std::array<Codes, 10> wide{{{0x1100, 0x115F},
                                      {0x2E80, 0x303E},
                                      {0x3041, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},
                                      {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};

std::string escaped(const Character& character) {
  switch (character.code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return character.is_valid && character.code > 0xFFU ? fmt::format("\\u{:04x}", character.code)
                                                          : fmt::format("\\x{:02x}", character.code);
  }
}

std::size_t width_of(std::uint32_t code) {
  if (code < 0x300U) return 1;
  if (is_among(code, without_width)) return 0;
  return is_among(code, wide) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.is_valid && !is_among(next.code, harmful)) {
      result += text.substr(0, next.n_bytes);
    } else {
      result += escaped(next);
    }
    text.remove_prefix(next.n_bytes);
  }
  return result;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    width += width_of(next.code);
    text.remove_prefix(next.n_bytes);
  }
  return width;
}

std::string_view clipped(std::string_view text, std::size_t width) {
  std::size_t n_bytes = 0;
  std::size_t used = 0;
  while (n_bytes < text.size()) {
    const Character next = first_character(text.substr(n_bytes));
    used += width_of(next.code);
    if (used > width) break;
    n_bytes += next.n_bytes;
  }
  return text.substr(0, n_bytes);
}

std::string_view clipped_to_end(std::string_view text, std::size_t width) {
  for (std::size_t left = display_width(text); left > width;) {
    const Character next = first_character(text);
    left -= width_of(next.code);
    text.remove_prefix(next.n_bytes);
  }
  return text;
}

}  // namespace coppice::cli
