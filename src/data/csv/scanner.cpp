// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/csv/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    case '|':
      return "vertical bars";
    default:
      return "blanks";
  }
}

Scanner::Scanner(std::string_view bytes, std::size_t first_line, char separator, std::string_view file) noexcept
    : grammar_{separator, bytes.data() + bytes.size()},
      begin_(bytes.data()),
      at_(bytes.data()),
      line_(first_line),
      file_(file) {}

bool Scanner::next_record() noexcept {
  field_number_ = 1;
  const char* const end = grammar_.end;
  while (at_ != end) {
    const char* first = grammar_.after_blanks(at_);
    const bool is_comment = grammar_.begins_comment(first);
    if (!grammar_.is_line_end(first) && !is_comment) return true;
    if (is_comment) {
      const void* newline = std::memchr(first, '\n', static_cast<std::size_t>(end - first));
      first = newline == nullptr ? end : static_cast<const char*>(newline);
    }
    at_ = first;
    pass_line_end();
  }
  return false;
}

Field Scanner::field() {
  at_ = grammar_.after_blanks(at_);
  if (at_ != grammar_.end && *at_ == '"') return quoted_field();
  const char* first = at_;
  while (!grammar_.is_field_end(at_)) ++at_;
  const char* last = at_;
  while (last != first && grammar_.is_blank(last - 1)) --last;
  return {{first, static_cast<std::size_t>(last - first)}, false, line_, field_number_};
}

Field Scanner::quoted_field() {
  Field result{{}, true, line_, field_number_};
  const char* const end = grammar_.end;
  const char* first = ++at_;
  unescaped_.clear();
  for (;;) {
    const void* quote = std::memchr(at_, '"', static_cast<std::size_t>(end - at_));
    if (quote == nullptr) {
      throw DataError(
          fmt::format("{}:{}:{}: a quote opens here and never closes; expected a second \" (a quote inside "
                      "quotes is written twice)",
                      file_, result.line, result.number));
    }
    at_ = static_cast<const char*>(quote) + 1;
    if (at_ == end || *at_ != '"') break;
    unescaped_.append(first, at_);  // with one of the two quotes
    first = ++at_;
  }
  result.text = {first, static_cast<std::size_t>(at_ - 1 - first)};
  if (!unescaped_.empty()) result.text = unescaped_.append(result.text);
  line_ += static_cast<std::size_t>(std::ranges::count(result.text, '\n'));
  if (!grammar_.is_field_end(grammar_.after_padding(at_))) {
    throw DataError(
        fmt::format("{}:{}:{}: text follows the closing quote; expected the next field (fields are separated "
                    "by {}; a quote inside quotes is written twice)",
                    file_, result.line, result.number, separator_name(grammar_.separator)));
  }
  return result;
}

}  // namespace coppice::csv
