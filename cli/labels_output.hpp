// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/label_column.hpp"
#include "coppice/data/read.hpp"
#include "coppice/write/labels.hpp"
#include "output_file.hpp"

namespace coppice::cli {

// In the format that the name of the file says.
void write_labels(const OutputFile& file, const internal::LabelledRows& rows);

// The labels of a result folder; a path to anything else stays as it is.
[[nodiscard]] std::string labels_file(const std::string& path);

// Rows that labels are read for: how many, and what they are called.
struct NamedRows {
  std::string file;  // for messages
  std::size_t n_rows = 0;
  std::vector<std::string> ids = {};  // empty: they have no names
  std::string id_column = "row";      // of those names
  std::function<void(const Text& text)> note = {};
};
[[nodiscard]] NamedRows rows_of(const Dataset& table, const std::string& file, const ReadOptions& options);

// Labels (of a file or result folder), one for each of these rows and in their order: by id where both have ids, else
// by position, with a note if only one has them. DataError if they do not fit together.
void match_labels(internal::LabelColumn& labels, const NamedRows& rows);
[[nodiscard]] internal::LabelColumn read_labels_for(const std::string& path, const NamedRows& rows);

// To standard output.
void print_text(std::string_view text);

}  // namespace coppice::cli
