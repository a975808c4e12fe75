// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Walks over the fields of a text table, byte by byte and once: blank and comment lines, quotes, line ends.
//
//   while (scanner.next_record()) {
//     do { if (!scanner.number(value)) word = scanner.field().text; } while (scanner.next_field());
//   }

#include <cstddef>
#include <string>
#include <string_view>

namespace coppice::csv {

inline constexpr char blanks = ' ';  // the separator "runs of blanks"

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
  [[nodiscard]] bool is_blank(const char* at) const noexcept;
  [[nodiscard]] bool is_line_end(const char* at) const noexcept;  // also the end of the bytes
  [[nodiscard]] bool is_field_end(const char* at) const noexcept;
  [[nodiscard]] const char* after_blanks(const char* at) const noexcept;
  void pass_line_end() noexcept;
  Field quoted_field();

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t line_;
  std::size_t field_number_ = 1;
  char separator_;
  std::string_view file_;
  std::string unescaped_;
};

}  // namespace coppice::csv
