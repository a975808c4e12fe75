// SPDX-License-Identifier: BSD-3-Clause
#include "labels_output.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "coppice/data/read.hpp"
#include "coppice/runtime/atomic_file.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::cli {

std::string labels_name(const std::string& format) { return format == "npy" ? "labels.npy" : "labels.csv"; }

void write_labels(const std::filesystem::path& folder, const std::string& format, const LabelledRows& rows) {
  const std::string path = (folder / labels_name(format)).string();
  write_text(path, format == "npy" ? labels_npy(rows) : format == "table" ? labels_table(rows) : labels_csv(rows));
}

std::vector<std::int32_t> read_labels_for(const std::string& path, std::size_t n_rows) {
  std::vector<std::int32_t> labels = read_labels(path);
  if (labels.size() != n_rows) {
    throw DataError(fmt::format("{}: holds {} labels, but there are {} rows", path, labels.size(), n_rows));
  }
  return labels;
}

void write_text(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw IoError("standard output: cannot write");
    return;
  }
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace coppice::cli
