// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/csv/cell.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "coppice/data/word_advice.hpp"
#include "coppice/runtime/ascii.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool means_missing(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 5> words{"na", "n/a", "#n/a", "null", "?"};
  return std::ranges::any_of(words, [&](std::string_view word) { return ascii::is_word(text, word); });
}

std::string_view without_sign(std::string_view text) noexcept {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

// 1,5 or -1.234,56 or 2,5e3: digits and points around exactly one comma.
bool has_decimal_comma(std::string_view text) noexcept {
  text = without_sign(text);
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  const std::string_view whole = text.substr(0, comma);
  if (!std::ranges::all_of(whole, [](char c) { return is_digit(c) || c == '.'; })) return false;
  std::string_view rest = text.substr(comma + 1);
  if (!is_digit(rest[0])) return false;
  rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
  if (rest.empty()) return true;
  if (rest[0] != 'e' && rest[0] != 'E') return false;
  rest = without_sign(rest.substr(1));
  return !rest.empty() && std::ranges::all_of(rest, is_digit);
}

// 1,000 or -12,345,678.9: groups of three digits behind each comma.
bool has_thousands(std::string_view text) noexcept {
  text = without_sign(text);
  const std::size_t comma = text.find(',');
  if (comma == 0 || comma > 3) return false;
  if (!std::ranges::all_of(text.substr(0, comma), is_digit) || text.front() == '0') return false;
  text.remove_prefix(comma);
  while (text.starts_with(',')) {
    if (text.size() < 4 || !std::ranges::all_of(text.substr(1, 3), is_digit)) return false;
    text.remove_prefix(4);
  }
  if (text.starts_with('.')) text.remove_prefix(1);
  return std::ranges::all_of(text, is_digit);
}

// Also accepts a leading '+', which fast_float does not.
Cell parse_number(std::string_view text) noexcept {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return {};
  }
  Cell cell;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), cell.value);
  // A number out of range comes out as infinite; that it begins with a digit or a point tells it from the word inf.
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return {};
  const std::string_view digits = without_sign(text);
  if (std::isnan(cell.value)) return {CellKind::nan, 0.0};
  if (!std::isinf(cell.value)) return {CellKind::number, cell.value};
  return {is_digit(digits[0]) || digits[0] == '.' ? CellKind::too_large : CellKind::infinite, 0.0};
}

}  // namespace

Cell classify(const Field& field) noexcept {
  std::string_view text = field.text;
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.empty()) return {CellKind::empty, 0.0};
  Cell cell = parse_number(text);
  if (cell.kind == CellKind::word && means_missing(text)) cell.kind = CellKind::missing;
  // 1,000 could be either; it counts as a thousand, and the message for thousands names the other meaning as well.
  if (cell.kind == CellKind::word && has_thousands(text)) cell.kind = CellKind::thousands;
  if (cell.kind == CellKind::word && has_decimal_comma(text)) cell.kind = CellKind::decimal_comma;
  const bool may_be_a_word =
      cell.kind == CellKind::missing || cell.kind == CellKind::nan || cell.kind == CellKind::infinite;
  if (field.is_quoted && may_be_a_word) cell.kind = CellKind::word;
  return cell;
}

bool is_utf8(std::string_view text) noexcept {
  std::size_t following = 0;
  unsigned lowest = 0x80U;  // the byte after E0, ED, F0 and F4 has a narrower range than others (RFC 3629)
  unsigned highest = 0xBFU;
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (following > 0) {
      if (byte < lowest || byte > highest) return false;
      --following;
      lowest = 0x80U;
      highest = 0xBFU;
    } else if (byte >= 0x80U) {
      if (byte < 0xC2U || byte > 0xF4U) return false;
      following = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : 1;
      lowest = byte == 0xE0U ? 0xA0U : byte == 0xF0U ? 0x90U : 0x80U;
      highest = byte == 0xEDU ? 0x9FU : byte == 0xF4U ? 0x8FU : 0xBFU;
    }
  }
  return following == 0;
}

std::string show(std::string_view text) {
  constexpr std::size_t most = 40;
  std::size_t length = std::min(text.size(), most);
  // Not in the middle of a letter of several bytes.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  const bool readable = is_utf8(text);
  std::string result = "'";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    // Control bytes, with which a file could give a terminal commands, are shown as numbers.
    const bool as_it_is = byte >= 0x80U ? readable : byte >= 0x20U && byte != 0x7FU;
    if (as_it_is) {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", byte);
    }
  }
  return result + (length < text.size() ? "...'" : "'");
}

void throw_bad_number(std::string_view file, const Field& field, CellKind kind, const CellColumn& column) {
  const std::string place = fmt::format("{}:{}:{}", file, field.line, field.number);
  const std::string text = show(field.text);
  const std::string in = fmt::format("in column {}", show(column.name));
  switch (kind) {
    case CellKind::empty:
      throw DataError(
          fmt::format("{}: the cell {} is empty, expected a value; fill it in, remove the row, or leave "
                      "the column out",
                      place, in));
    case CellKind::missing:
      throw DataError(
          fmt::format("{}: {} {} is a missing value, expected a finite number; fill it in, remove the row, "
                      "or leave the column out (as a word, write it in quotes)",
                      place, text, in));
    case CellKind::nan:
      throw DataError(
          fmt::format("{}: {} {} is not a number, expected a finite number; correct it, remove the row, or leave the "
                      "column out (where a value is missing, write NA or nothing; as a word, write it in quotes)",
                      place, text, in));
    case CellKind::infinite:
      throw DataError(
          fmt::format("{}: {} {} is not finite, expected a finite number; correct it, remove the row, or "
                      "leave the column out",
                      place, text, in));
    case CellKind::too_large:
      throw DataError(
          fmt::format("{}: {} {} is too large, expected a number up to 1.7e308; rescale the column", place, text, in));
    case CellKind::decimal_comma:
      throw DataError(
          fmt::format("{}: {} {} looks like a number with a decimal comma, expected a decimal point as in "
                      "1.5; replace the commas and separate fields by tabs or semicolons",
                      place, text, in));
    case CellKind::thousands:
      throw DataError(
          fmt::format("{}: {} {} looks like a number with commas between its thousands, expected a plain number, as in "
                      "1000; remove the commas (if it is a decimal comma, write a point)",
                      place, text, in));
    case CellKind::number:
    case CellKind::word:
      break;
  }
  const std::string_view advice = advice_among_numbers(field.text);
  if (!advice.empty()) throw DataError(fmt::format("{}: {} {} {}", place, text, in, advice));
  if (column.declared) {
    throw DataError(
        fmt::format("{}: {} {} is not a number, as its kind '{}' asks; correct it, remove the row, or declare the "
                    "column as category",
                    place, text, in, to_string(*column.declared)));
  }
  throw DataError(format_text(
      "{}: {} {} is not a number, but other cells of the column are, expected numbers; correct "
      "it, remove the row, or leave the column out{}",
      place, text, in, column.may_be_name ? format_text(" (if the first line holds names: {header=yes})") : ""));
}

void throw_missing_word(std::string_view file, const Field& field, std::string_view column) {
  throw DataError(fmt::format(
      "{}:{}:{}: {} in column {} is a missing value, expected a word; fill it in, remove the row, leave the column "
      "out, or write it in quotes as a word of its own",
      file, field.line, field.number, field.text.empty() ? "the empty cell" : show(field.text), show(column)));
}

void throw_not_utf8(std::string_view file, const Field& field) {
  throw DataError(fmt::format("{}:{}:{}: {} is not UTF-8 text; save the file in UTF-8", file, field.line, field.number,
                              show(field.text)));
}

}  // namespace coppice::csv
