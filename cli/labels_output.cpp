// SPDX-License-Identifier: BSD-3-Clause
#include "labels_output.hpp"

#include <cstdio>

#include "coppice/runtime/atomic_file.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::cli {

std::string write_labels(const std::filesystem::path& folder, const std::string& format, const LabelledRows& rows) {
  const std::string name = format == "npy" ? "labels.npy" : "labels.csv";
  write_text((folder / name).string(), format == "npy" ? labels_npy(rows) : format == "table" ? labels_table(rows) : labels_csv(rows));
  return name;
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
