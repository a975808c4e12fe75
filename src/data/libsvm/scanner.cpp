// SPDX-License-Identifier: BSD-3-Clause
#include "data/libsvm/scanner.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/dataset.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::libsvm {
using namespace internal;

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view query_mark = "qid:";  // of rankings: rows of one query; nothing that clusters

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace

Scanner::Scanner(const Content& content) noexcept
    : file_(content.name),
      at_(content.bytes.data()),
      end_(content.bytes.data() + content.bytes.size()),
      line_begin_(content.bytes.data()) {
  if (content.bytes.starts_with(byte_order_mark)) at_ += byte_order_mark.size();
}

bool Scanner::is_row_end() const noexcept { return at_ == end_ || *at_ == '\n' || *at_ == '#'; }

void Scanner::skip_blanks() noexcept {
  while (at_ != end_ && is_blank(*at_)) ++at_;
}

bool Scanner::next_row() noexcept {
  for (;;) {
    skip_blanks();
    if (!is_row_end()) break;
    const void* newline = at_ == end_ ? nullptr : std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    if (newline == nullptr) return false;
    at_ = static_cast<const char*>(newline) + 1;
    line_begin_ = at_;
    ++line_;
  }
  last_index_ = -1;
  return true;
}

std::string_view Scanner::word() const noexcept {
  const char* last = at_;
  while (last != end_ && !is_blank(*last) && *last != '\n' && *last != '#') ++last;
  return {at_, static_cast<std::size_t>(last - at_)};
}

std::string Scanner::place(const char* at) const { return fmt::format("{}:{}:{}", file_, line_, at - line_begin_ + 1); }

void Scanner::refuse_word(std::string_view expected) const {
  throw DataError(fmt::format("{}: {} is not {}", place(at_), csv::show(word()), expected));
}

void Scanner::refuse_label(std::string_view what) const { throw DataError(fmt::format("{}: {}", place(label_), what)); }

// A finite number that ends where the word ends.
bool Scanner::take_number(double& value) noexcept {
  const char* first = at_;
  if (first != end_ && *first == '+') ++first;
  if (first == end_ || (first != at_ && *first == '-')) return false;
  const auto [last, error] = fast_float::from_chars(first, end_, value);
  if (error != std::errc{} || !std::isfinite(value)) return false;
  if (last != end_ && !is_blank(*last) && *last != '\n' && *last != '#') return false;
  at_ = last;
  return true;
}

double Scanner::label() {
  label_ = at_;
  double value = 0.0;
  if (take_number(value)) return value;
  if (word().find(',') != std::string_view::npos) {
    throw DataError(fmt::format("{}: the row has several labels ({}), expected one; keep the first alone, or write 0",
                                place(at_), csv::show(word())));
  }
  if (word().find(':') != std::string_view::npos) {
    refuse_word("a label; expected a number before the pairs index:value (write 0 where there are no labels)");
  }
  refuse_word("a label, expected a finite number");
}

void Scanner::skip_queries() noexcept {
  skip_blanks();
  while (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(query_mark)) {
    at_ += word().size();
    skip_blanks();
  }
}

// The digits here, as a number; stays where it is above the limit, so that nothing overflows.
std::int64_t Scanner::take_index() {
  constexpr auto most = static_cast<std::int64_t>(Dataset::most_sparse_columns);
  const char* last = at_;
  std::int64_t index = 0;
  while (last != end_ && is_digit(*last) && index <= most) index = 10 * index + (*last++ - '0');
  if (index > most) {
    throw LimitError(fmt::format("{}: the index of {} is larger than {}, the most columns that a sparse table may have",
                                 place(at_), csv::show(word()), most));
  }
  at_ = last;
  return index;
}

bool Scanner::next_entry(Entry& entry) {
  skip_queries();
  if (is_row_end()) return false;
  const char* begin = at_;
  const std::int64_t index = take_index();
  const bool has_index = at_ != begin && at_ != end_ && *at_ == ':';
  if (has_index) ++at_;
  if (!has_index || !take_number(entry.value)) {
    at_ = begin;
    refuse_word("a pair index:value, expected a whole number, a colon and a finite number such as 3:0.5");
  }
  if (index <= last_index_) {
    throw DataError(fmt::format("{}: index {} comes after index {}; the indices of a row must increase", place(begin),
                                index, last_index_));
  }
  last_index_ = index;
  entry.index = static_cast<std::uint32_t>(index);
  return true;
}

}  // namespace coppice::libsvm
