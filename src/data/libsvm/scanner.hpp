// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Walks over the words of LIBSVM text. Messages say file:line:column, the column being the byte in the line.

#include <cstdint>
#include <string>
#include <string_view>

#include "coppice/data/mapped_file.hpp"

namespace coppice::libsvm {

struct Entry {
  std::uint32_t index = 0;
  double value = 0.0;
};

class Scanner {
 public:
  explicit Scanner(const internal::Content& content) noexcept;

  // Goes to the next line that holds a row. False at the end.
  bool next_row() noexcept;

  // The label, once per row. DataError if there is none, or several.
  double label();

  // The next pair of the row, in increasing order of indices; false at the end of the line. DataError, or LimitError
  // for an index that no table may have.
  bool next_entry(Entry& entry);

  // DataError at the label of this row.
  [[noreturn]] void refuse_label(std::string_view what) const;

 private:
  [[nodiscard]] bool is_row_end() const noexcept;
  void skip_blanks() noexcept;
  [[nodiscard]] std::string_view word() const noexcept;
  [[nodiscard]] std::string place(const char* at) const;
  [[noreturn]] void refuse_word(std::string_view expected) const;
  bool take_number(double& value) noexcept;
  std::int64_t take_index();
  void skip_queries() noexcept;

  const std::string& file_;
  const char* at_;
  const char* end_;
  const char* line_begin_;
  const char* label_ = nullptr;
  std::size_t line_ = 1;
  std::int64_t last_index_ = -1;
};

}  // namespace coppice::libsvm
