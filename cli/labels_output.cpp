// SPDX-License-Identifier: BSD-3-Clause
#include "labels_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "coppice/runtime/error.hpp"
#include "coppice/write/result_files.hpp"

namespace coppice::cli {
using namespace internal;

void write_labels(const OutputFile& file, const LabelledRows& rows) {
  const RowFormat format = row_format(file.path);
  if (format == RowFormat::npy) return write_output(file, labels_npy(rows));
  write_output_in_pieces(file, [&](const WritePiece& write) { write_labels_csv(rows, separator_of(format), write); });
}

std::string labels_file(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(path)) return path;
  for (const std::string_view name : {result_files::labels_csv, result_files::labels_npy}) {
    const fs::path file = fs::path(path) / name;
    if (fs::exists(file)) return file.string();
  }
  throw IoError(fmt::format("{}: is a folder without {} or {}, so no result of a fit", path, result_files::labels_csv,
                            result_files::labels_npy));
}

NamedRows rows_of(const Dataset& table, const std::string& file, const ReadOptions& options) {
  return {file, table.n_rows(), table.ids(), options.id.value_or("row"), options.note};
}

LabelColumn read_labels_for(const std::string& path, const NamedRows& rows) {
  LabelColumn labels = read_label_column(labels_file(path), rows.id_column);
  match_labels(labels, rows);
  return labels;
}

void match_labels(LabelColumn& labels, const NamedRows& rows) {
  const Matching matching = match_rows(labels, rows.ids, rows.n_rows, rows.file);
  if (matching != Matching::ids_unused || !rows.note) return;
  rows.note(fmt::format("{} and {} have no row ids in common; rows are matched by position", labels.file, rows.file));
}

void print_text(std::string_view text) { write_output({}, text); }

}  // namespace coppice::cli
