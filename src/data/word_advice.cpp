// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/word_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/ascii.hpp"
#include "data/yes_no.hpp"

namespace coppice::internal {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool take(std::string_view& text, std::string_view prefix) noexcept {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// How many digits stand in front, which are taken away.
std::size_t take_digits(std::string_view& text) noexcept {
  const std::size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(n);
  return n;
}

// What stands in front of the number's digits and behind them: $1,234.50 has "$" and "", 5 kg has "" and "kg".
struct Dressed {
  std::string_view before;
  std::string_view after;
  bool has_marks = false;  // between the digits: 1 000, 1'000, 1.000.000
};

// False without digits, or with more than one number.
bool undress(std::string_view text, Dressed& result) noexcept {
  const std::size_t first = text.find_first_of("0123456789");
  const std::size_t last = text.find_last_of("0123456789");
  if (first == std::string_view::npos) return false;
  const std::string_view inside = text.substr(first, last + 1 - first);
  if (inside.find_first_not_of("0123456789.,' ") != std::string_view::npos) return false;
  result.has_marks = inside.find_first_of("' ") != std::string_view::npos || std::ranges::count(inside, '.') > 1;
  result.before = trimmed(text.substr(0, first));
  result.after = trimmed(text.substr(last + 1));
  return true;
}

bool is_sign(std::string_view text) noexcept { return text.empty() || text == "-" || text == "+" || text == "."; }

bool is_currency(std::string_view text) noexcept {
  if (!text.empty() && (text.front() == '-' || text.front() == '+' || text.front() == '(')) text.remove_prefix(1);
  if (!text.empty() && (text.back() == '-' || text.back() == '+' || text.back() == ')')) text.remove_suffix(1);
  text = trimmed(text);
  constexpr std::array<std::string_view, 18> signs{"$",   "US$", "€",   "£",   "¥",   "₹",   "₽", "₩",  "EUR",
                                                   "USD", "GBP", "JPY", "CHF", "CNY", "INR", "Fr",  "kr", "zł"};
  return std::ranges::find(signs, text) != signs.end();
}

// 2024-01-31, 31.01.2024, 1/31/2024, also with a time behind it.
bool is_date(std::string_view text) noexcept {
  const std::size_t first = take_digits(text);
  if (first == 0 || text.empty() || std::string_view("-/.").find(text.front()) == std::string_view::npos) return false;
  const char mark = text.front();
  text.remove_prefix(1);
  const std::size_t second = take_digits(text);
  if (second == 0 || second > 2 || text.empty() || text.front() != mark) return false;
  text.remove_prefix(1);
  const std::size_t third = take_digits(text);
  const bool is_in_order = (first == 4 && third <= 2) || (first <= 2 && (third == 4 || third == 2));
  const bool ends = text.empty() || text.front() == ' ' || text.front() == 'T';
  return is_in_order && third > 0 && ends;
}

// 10:30, 10:30:15.5
bool is_time(std::string_view text) noexcept {
  const std::size_t hours = take_digits(text);
  if (hours == 0 || hours > 2 || !take(text, ":") || take_digits(text) != 2) return false;
  if (take(text, ":") && take_digits(text) != 2) return false;
  return text.empty() || text.front() == '.' || text.front() == ' ';
}

bool is_spreadsheet_error(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 6> errors{"#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"};
  return std::ranges::find(errors, text) != errors.end();
}

bool stands_for_nothing(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 12> words{"-",   "--",   "---",  ".",       "..",      "none",
                                                   "nil", "n.a.", "n.d.", "missing", "unknown", "#na"};
  return std::ranges::any_of(words, [=](std::string_view word) { return ascii::is_word(text, word); });
}

}  // namespace

std::string_view advice_on_disguised_number(std::string_view word) {
  word = trimmed(word);
  if (is_date(word)) {
    return "looks like a date, expected a number; write dates as numbers, such as days since the first one, or leave "
           "the column out";
  }
  if (is_time(word)) {
    return "looks like a time, expected a number; write times as numbers, such as minutes, or leave the column out";
  }
  Dressed number;
  if (!undress(word, number)) return {};
  if (is_currency(number.before) || is_currency(number.after)) {
    return "looks like an amount of money, expected a plain number; remove the currency sign (and marks between the "
           "thousands)";
  }
  if (number.after == "%" && is_sign(number.before)) {
    return "looks like a percentage, expected a plain number; remove the sign, as in 12 or 0.12";
  }
  if (number.has_marks && is_sign(number.before) && number.after.empty()) {
    return "looks like a number with marks between its thousands, expected a plain number, as in 1000; remove the "
           "marks";
  }
  const bool has_unit = !number.after.empty() && number.after.size() <= 4 && ascii::is_letter(number.after.front());
  if (has_unit && is_sign(number.before)) {
    return "looks like a number with a unit, expected a plain number; remove the unit";
  }
  return {};
}

std::string_view advice_among_numbers(std::string_view word) {
  const std::string_view disguised = advice_on_disguised_number(word);
  if (!disguised.empty()) return disguised;
  word = trimmed(word);
  if (is_spreadsheet_error(word)) {
    return "is a spreadsheet's error, expected a number; correct the formula, remove the row, or leave the column out";
  }
  if (stands_for_nothing(word)) {
    return "looks like a missing value, expected a finite number; fill it in, remove the row, or leave the column out";
  }
  if (yes_or_no(word)) {
    return "stands among numbers; write 1 for yes or true and 0 for no or false, as in the other cells";
  }
  if (word.starts_with('{') || word.starts_with('[')) {
    return "looks like JSON, expected a number; write each value into a column of its own";
  }
  return {};
}

std::string advice_on_column(const CategoryColumn& column) {
  if (column.codes.empty() || column.levels.empty()) return {};
  const std::string_view word = word_of(column, 0);
  const std::string_view advice = advice_on_disguised_number(word);
  if (advice.empty()) return {};
  return fmt::format("{}{}{} in column {} {}", column.place, column.place.empty() ? "" : ": ", csv::show(word),
                     csv::show(column.name), advice);
}

}  // namespace coppice::internal
