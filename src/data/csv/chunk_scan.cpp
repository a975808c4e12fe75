// SPDX-License-Identifier: BSD-3-Clause
// Fields are not read: memchr looks for line ends and quotes alone. A quote counts only where it opens a field, which
// is found out by looking back from it.

#include "data/csv/chunk_scan.hpp"

#include <algorithm>
#include <cstring>

namespace coppice::csv {

namespace {

// The first `wanted`, or `end`.
const char* find(char wanted, const char* at, const char* end) noexcept {
  const void* found = std::memchr(at, wanted, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

class Walk {
 public:
  Walk(std::string_view chunk, char separator, bool has_quotes) noexcept
      : begin_(chunk.data()), end_(begin_ + chunk.size()), grammar_{separator, end_}, has_quotes_(has_quotes) {}

  Reading from_outside() {
    pass_lines(begin_);
    return reading_;
  }

  Reading from_inside() {
    const char* at = after_quotes(begin_);
    if (at != nullptr) at = after_record(at, at);
    const char* first = at == nullptr ? end_ : at;
    reading_.first = static_cast<std::size_t>(first - begin_);
    reading_.n_lines_before = static_cast<std::size_t>(std::count(begin_, first, '\n'));
    if (at != nullptr) pass_lines(at);
    return reading_;
  }

 private:
  // Counts the records from the start of a line to the end, or to where quotes break.
  void pass_lines(const char* at) {
    while (at != end_ && at != nullptr) {
      const char* first = grammar_.after_blanks(at);
      const bool is_record = !grammar_.is_line_end(first) && !grammar_.begins_comment(first);
      reading_.n_rows += is_record ? 1U : 0U;
      at = is_record && has_quotes_ ? after_record(at, at) : after_line(first);
    }
  }

  const char* after_line(const char* at) const noexcept {
    const char* newline = find('\n', at, end_);
    return newline == end_ ? end_ : newline + 1;
  }

  // `begin` is the start of the record, or a field end before `at`. Null if the record does not end in this chunk.
  const char* after_record(const char* begin, const char* at) {
    const char* newline = find('\n', at, end_);
    for (;;) {
      const char* quote = find('"', at, newline);
      if (quote == newline) return newline == end_ ? end_ : newline + 1;
      at = quote + 1;
      if (!opens_field(begin, quote)) continue;
      at = after_quotes(at);
      if (at == nullptr) return nullptr;
      // The quotes held line ends, which belong to the field.
      if (at > newline) newline = find('\n', at, end_);
    }
  }

  // A quote in the midst of a field is a character like others.
  bool opens_field(const char* begin, const char* quote) const noexcept {
    const char* before = quote;
    while (before != begin && grammar_.is_blank(before - 1)) --before;
    if (before == begin) return true;
    return grammar_.separator == blanks ? before != quote : before[-1] == grammar_.separator;
  }

  // From inside quotes to the field's end. Null if there is none, and then reading_.end says why.
  const char* after_quotes(const char* at) noexcept {
    for (;;) {
      const char* quote = find('"', at, end_);
      if (quote == end_) return fail(ScanEnd::inside);
      at = quote + 1;
      // A quote written twice is a letter of the field.
      if (at == end_ || *at != '"') break;
      ++at;
    }
    at = grammar_.after_padding(at);
    return grammar_.is_field_end(at) ? at : fail(ScanEnd::broken);
  }

  const char* fail(ScanEnd end) noexcept {
    reading_.end = end;
    return nullptr;
  }

  const char* begin_;
  const char* end_;
  Grammar grammar_;
  bool has_quotes_;
  Reading reading_;
};

}  // namespace

ChunkScan scan_chunk(std::string_view chunk, char separator) {
  ChunkScan scan;
  scan.nul = chunk.find('\0');
  if (scan.nul != std::string_view::npos) return scan;
  scan.n_lines = static_cast<std::size_t>(std::ranges::count(chunk, '\n'));
  const bool has_quotes = chunk.find('"') != std::string_view::npos;
  scan.outside = Walk(chunk, separator, has_quotes).from_outside();
  if (has_quotes) {
    scan.inside = Walk(chunk, separator, has_quotes).from_inside();
  } else {
    // Without a quote there is no way out of quotes: all of the chunk belongs to the field.
    scan.inside = {0, chunk.size(), scan.n_lines, ScanEnd::inside};
  }
  return scan;
}

}  // namespace coppice::csv
