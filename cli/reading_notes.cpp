// SPDX-License-Identifier: BSD-3-Clause
#include "reading_notes.hpp"

#include <fmt/format.h>

#include "coppice/data/row_numbers.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

std::string note_on(const Dataset& data, std::size_t column) {
  const Column& named = data.columns()[column];
  return fmt::format(
      "column '{}'{} seems to number the rows, and is taken for a measurement like the others; --id {} makes it the "
      "rows' name, --columns chooses without it",
      named.name, named.is_made_up ? " (the file gives it no name)" : "",
      named.name.find(' ') == std::string::npos ? named.name : fmt::format("'{}'", named.name));
}

}  // namespace

Dataset read_to_cluster(const std::string& path, const ReadOptions& options) {
  Dataset data = read(path, options);
  if (options.note && options.columns.empty()) {
    for (const std::size_t column : row_number_columns(data)) options.note(note_on(data, column));
  }
  return data;
}

}  // namespace coppice::cli
