// SPDX-License-Identifier: BSD-3-Clause
#include "labels_output.hpp"

#include <fmt/format.h>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::cli {

void write_labels(const OutputFile& file, const LabelledRows& rows) {
  const RowFormat format = row_format(file.path);
  write_output(file, format == RowFormat::npy ? labels_npy(rows) : labels_csv(rows, separator_of(format)));
}

std::vector<std::int32_t> read_labels_for(const std::string& path, std::size_t n_rows) {
  std::vector<std::int32_t> labels = read_labels(path);
  if (labels.size() != n_rows) {
    throw DataError(fmt::format("{}: holds {} labels, but there are {} rows", path, labels.size(), n_rows));
  }
  return labels;
}

void print_text(std::string_view text) { write_output({}, text); }

}  // namespace coppice::cli
