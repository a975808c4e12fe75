// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a text table is laid out: what separates its fields, what its columns are called, where its rows begin.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/mapped_file.hpp"
#include "coppice/data/read.hpp"

namespace coppice::csv {

struct Layout {
  char separator = ',';
  bool has_header = false;
  std::vector<std::string> names;  // x1, x2, ... where the file has none
  std::vector<bool> are_made_up;   // those names
  std::string_view rows;           // from the first line of data on
  std::size_t first_line = 1;      // of rows, in the file
  std::size_t header_line = 0;     // of the names; 0: the file has none
};

// DataError if the bytes are no text table; of NUL bytes, only those before the rows are noticed. The first line is a
// header if it has a field that is not a number, unless another of its fields has a fraction: "5.1,setosa" is data.
// A rule other than automatic says so beforehand.
[[nodiscard]] Layout find_layout(const internal::Content& content, HeaderRule header = HeaderRule::automatic);

// A NUL byte at byte `at` of the content: DataError with its line.
[[noreturn]] void throw_nul_byte(const internal::Content& content, std::size_t at);

// ',', ';', '|', tab or runs of blanks: what cuts the first lines into equally many fields, most of them numbers.
[[nodiscard]] char find_separator(std::string_view bytes);

}  // namespace coppice::csv
