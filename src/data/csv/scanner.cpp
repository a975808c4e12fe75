// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/scanner.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "coppice/runtime/error.hpp"

namespace coppice::csv {

std::string_view separator_name(char separator) noexcept {
  switch (separator) {
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    default:
      return "blanks";
  }
}

Scanner::Scanner(std::string_view bytes, std::size_t first_line, char separator, std::string_view file) noexcept
    : begin_(bytes.data()),
      at_(bytes.data()),
      end_(bytes.data() + bytes.size()),
      line_(first_line),
      separator_(separator),
      file_(file) {}

bool Scanner::is_blank(const char* at) const noexcept {
  return at != end_ && (*at == ' ' || (*at == '\t' && separator_ != '\t'));
}

bool Scanner::is_line_end(const char* at) const noexcept {
  return at == end_ || *at == '\n' || (*at == '\r' && (at + 1 == end_ || at[1] == '\n'));
}

bool Scanner::is_field_end(const char* at) const noexcept {
  if (is_line_end(at)) return true;
  return separator_ == blanks ? is_blank(at) : *at == separator_;
}

const char* Scanner::after_blanks(const char* at) const noexcept {
  while (is_blank(at)) ++at;
  return at;
}

void Scanner::pass_line_end() noexcept {
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_) ++at_;
  ++line_;
}

bool Scanner::next_record() noexcept {
  field_number_ = 1;
  while (at_ != end_) {
    const char* first = after_blanks(at_);
    if (!is_line_end(first) && *first != '#') return true;
    if (first != end_ && *first == '#') {
      const void* newline = std::memchr(first, '\n', static_cast<std::size_t>(end_ - first));
      first = newline == nullptr ? end_ : static_cast<const char*>(newline);
    }
    at_ = first;
    pass_line_end();
  }
  return false;
}

bool Scanner::number(double& value) noexcept {
  const char* first = after_blanks(at_);
  if (first != end_ && *first == '+') {
    ++first;
    if (first != end_ && (*first == '-' || *first == '+')) return false;
  }
  const auto [end, error] = fast_float::from_chars(first, end_, value);
  if (error != std::errc{} || !std::isfinite(value)) return false;
  const char* last = separator_ == blanks ? end : after_blanks(end);
  if (!is_field_end(last)) return false;
  at_ = last;
  return true;
}

Field Scanner::field() {
  at_ = after_blanks(at_);
  if (at_ != end_ && *at_ == '"') return quoted_field();
  const char* first = at_;
  while (!is_field_end(at_)) ++at_;
  const char* last = at_;
  while (last != first && is_blank(last - 1)) --last;
  return {{first, static_cast<std::size_t>(last - first)}, false, line_, field_number_};
}

Field Scanner::quoted_field() {
  Field result{{}, true, line_, field_number_};
  const char* first = ++at_;
  unescaped_.clear();
  for (;;) {
    const void* quote = std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_));
    if (quote == nullptr) {
      throw DataError(
          fmt::format("{}:{}:{}: a quote opens here and never closes; expected a second \" (a quote inside "
                      "quotes is written twice)",
                      file_, result.line, result.number));
    }
    at_ = static_cast<const char*>(quote) + 1;
    if (at_ == end_ || *at_ != '"') break;
    unescaped_.append(first, at_);  // with one of the two quotes
    first = ++at_;
  }
  result.text = {first, static_cast<std::size_t>(at_ - 1 - first)};
  if (!unescaped_.empty()) result.text = unescaped_.append(result.text);
  line_ += static_cast<std::size_t>(std::ranges::count(result.text, '\n'));
  if (!is_field_end(separator_ == blanks ? at_ : after_blanks(at_))) {
    throw DataError(
        fmt::format("{}:{}:{}: text follows the closing quote; expected the next field (fields are separated "
                    "by {}; a quote inside quotes is written twice)",
                    file_, result.line, result.number, separator_name(separator_)));
  }
  return result;
}

bool Scanner::next_field() noexcept {
  at_ = after_blanks(at_);
  if (is_line_end(at_)) {
    pass_line_end();
    return false;
  }
  if (separator_ != blanks) ++at_;  // field() and number() stop at nothing else
  ++field_number_;
  return true;
}

}  // namespace coppice::csv
