// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Walks over the fields of a text table, byte by byte and once: blank and comment lines, quotes, line ends.
//
//   while (scanner.next_record()) {
//     do { if (!scanner.number(value)) word = scanner.field().text; } while (scanner.next_field());
//   }

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "coppice/data/csv/grammar.hpp"
#include "coppice/data/csv/short_decimal.hpp"

namespace coppice::csv {

// What messages call a separator.
[[nodiscard]] std::string_view separator_name(char separator) noexcept;

// A cell without the blanks and quotes around it; the text lives until the next call of field().
struct Field {
  std::string_view text;
  bool is_quoted = false;
  std::size_t line = 0;    // from 1
  std::size_t number = 0;  // within its row, from 1
};

class Scanner {
 public:
  // `bytes` begin at a line, which is number `first_line` of `file`.
  Scanner(std::string_view bytes, std::size_t first_line, char separator, std::string_view file) noexcept;

  // Goes to the next line that holds something. False at the end.
  bool next_record() noexcept;

  // If the field here is a finite number and nothing else, takes it. Otherwise stays, for field() to take it.
  bool number(double& value) noexcept;

  // Takes the field here, whatever it is. DataError where a quote does not close.
  Field field();

  // After a field: goes to the next one of this record, or to the line after it and returns false.
  bool next_field() noexcept;

  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

 private:
  [[nodiscard]] bool is_at_separator(const char* at) const noexcept;
  void pass_line_end() noexcept;
  Field quoted_field();

  Grammar grammar_;
  const char* begin_;
  const char* at_;
  std::size_t line_;
  std::size_t field_number_ = 1;
  bool is_short_ = true;  // the last number was, so that the next may be worth a try
  std::string_view file_;
  std::string unescaped_;
};

// In the header, since nearly all the time of reading a large table goes here.
inline bool Scanner::number(double& value) noexcept {
  const char* const end = grammar_.end;
  const char* first = grammar_.after_blanks(at_);
  if (first != end && *first == '+') {
    ++first;
    if (first != end && (*first == '-' || *first == '+')) return false;
  }
  const char* last = is_short_ ? short_decimal(first, end, value) : nullptr;
  if (last == nullptr) {
    const auto [after, error] = fast_float::from_chars(first, end, value);
    if (error != std::errc{} || !std::isfinite(value)) return false;
    last = after;
    is_short_ = last - first <= most_short_digits + 2;
  }
  if (!is_at_separator(last)) {
    last = grammar_.after_padding(last);
    if (!grammar_.is_field_end(last)) return false;
  }
  at_ = last;
  return true;
}

inline bool Scanner::is_at_separator(const char* at) const noexcept {
  return at != grammar_.end && *at == grammar_.separator && grammar_.separator != blanks;
}

inline bool Scanner::next_field() noexcept {
  if (!is_at_separator(at_)) {
    at_ = grammar_.after_blanks(at_);
    if (grammar_.is_line_end(at_)) {
      pass_line_end();
      return false;
    }
  }
  if (grammar_.separator != blanks) ++at_;  // field() and number() stop at nothing else
  ++field_number_;
  return true;
}

inline void Scanner::pass_line_end() noexcept {
  if (at_ != grammar_.end && *at_ == '\r') ++at_;
  if (at_ != grammar_.end) ++at_;
  ++line_;
}

}  // namespace coppice::csv
