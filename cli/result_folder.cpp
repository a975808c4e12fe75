// SPDX-License-Identifier: BSD-3-Clause
#include "result_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coppice/data/read.hpp"
#include "coppice/runtime/atomic_folder.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/hierarchy.hpp"
#include "coppice/write/labels.hpp"
#include "coppice/write/model_archive.hpp"
#include "coppice/write/result_files.hpp"
#include "flags.hpp"
#include "output_file.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

namespace fs = std::filesystem;

FolderOptions options_for(const ResultFolder& folder) {
  return {.replace = folder.force, .own_names = {result_files::all.begin(), result_files::all.end()}};
}

// Both by what they are, not by how they were written: links and relative names count for nothing.
bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path inner = fs::canonical(file, error);
  const fs::path outer = error ? fs::path() : fs::canonical(folder, error);
  if (error) return false;  // one of them is not there
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

std::string_view labels_name(const ResultFolder& folder) {
  return folder.labels_format == "npy" ? result_files::labels_npy : result_files::labels_csv;
}

// The table as its file has it. A fit is not lost because somebody took the file away meanwhile.
void write_labels_table(const OutputFile& file, const TableSource& source, const LabelledRows& rows,
                        std::vector<Text>& warnings) {
  try {
    write_output_in_pieces(file, [&](const WritePiece& write) { write_labelled_input(source, rows, write); });
  } catch (const DataError& error) {
    warnings.push_back(
        fmt::format("the table could not be read again ({}); {} has the columns that were read before the fit",
                    with_flags(error.text()), result_files::labels_csv));
    write_output_in_pieces(file, [&](const WritePiece& write) { write_labelled_rows(source, rows, write); });
  }
}

}  // namespace

void check_result_folder(const ResultFolder& folder) {
  const std::string& input = folder.source.path;
  if (folder.force && is_inside(file_of_input(input), folder.path)) {
    throw IoError(fmt::format("{}: is in {}, which --force would replace; move it out, or write to another folder",
                              input, folder.path.string()));
  }
  AtomicFolder::check(folder.path, options_for(folder));
  const bool is_result =
      fs::exists(folder.path / result_files::summary) || !fs::exists(folder.path) || fs::is_empty(folder.path);
  if (!is_result) {
    throw IoError(fmt::format("{}: holds no earlier result, so --force does not replace it", folder.path.string()));
  }
}

std::string write_result(const ResultFolder& folder, const Dataset& data, Fit& fit, SummaryContext& context) {
  const Stopwatch watch;
  AtomicFolder out(folder.path, options_for(folder));
  const auto file_named = [&](std::string_view name) { return OutputFile{(out.path() / name).string()}; };
  const auto write = [&](std::string_view name, std::string_view bytes) { write_output(file_named(name), bytes); };
  write(result_files::model, model_bytes(fit.model));
  const LabelledRows rows{data, fit.labels, fit.probabilities};
  const OutputFile labels = file_named(labels_name(folder));
  if (folder.labels_format == "table") {
    write_labels_table(labels, folder.source, rows, fit.warnings);
  } else if (folder.labels_format == "npy") {
    write_output(labels, labels_npy(rows));
  } else {
    write_output_in_pieces(labels, [&](const WritePiece& write_piece) { write_labels_csv(rows, ',', write_piece); });
  }
  if (fit.hierarchy) {
    write(result_files::linkage, linkage_npy(fit.hierarchy->tree));
    // What the tree was worth after every merge.
    if (!fit.hierarchy->objective.empty()) write(result_files::objective, objective_npy(fit.hierarchy->objective));
  }
  context.write_seconds = watch.seconds();
  context.total_seconds += watch.seconds();
  std::string summary = summary_json(fit, data, context);
  write(result_files::summary, summary);
  out.commit();
  return summary;
}

std::string files_of_result(const ResultFolder& folder, const Fit& fit) {
  std::string names = fmt::format("{}, {}", result_files::model, labels_name(folder));
  if (fit.hierarchy) names += fmt::format(", {}", result_files::linkage);
  if (fit.hierarchy && !fit.hierarchy->objective.empty()) names += fmt::format(", {}", result_files::objective);
  return fmt::format("{}, {}", names, result_files::summary);
}

}  // namespace coppice::cli
