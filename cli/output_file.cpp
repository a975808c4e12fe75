// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "coppice/runtime/atomic_file.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/table.hpp"

namespace coppice::cli {
using namespace internal;

bool is_standard_output(const std::string& path) {
  const std::string name = std::filesystem::path(path).lexically_normal().string();
  return name.empty() || name == "-" || name == "/dev/stdout" || name == "/dev/fd/1" || name == "/proc/self/fd/1";
}

void check_output(const OutputFile& file) {
  if (!is_standard_output(file.path)) AtomicFile::check(file.path, file.force);
}

void write_output(const OutputFile& file, std::string_view bytes) {
  write_output_in_pieces(file, [&](const WritePiece& write) { write(bytes); });
}

void write_output_in_pieces(const OutputFile& file, const std::function<void(const WritePiece& write)>& write_all) {
  if (is_standard_output(file.path)) {
    return write_all([](std::string_view piece) {
      if (std::fwrite(piece.data(), 1, piece.size(), stdout) != piece.size()) {
        throw IoError("standard output: cannot write");
      }
    });
  }
  AtomicFile out(file.path, file.force);
  write_all([&](std::string_view piece) { out.write(piece); });
  out.commit();
}

void check_table_output(const OutputFile& file) {
  if (is_standard_output(file.path)) return;
  check_table_path(file.path);
  check_output(file);
}

void write_table_output(const OutputFile& file, const Dataset& table) {
  if (!is_standard_output(file.path)) return write_table(table, file.path, file.force);
  write_output_in_pieces(file, [&](const WritePiece& write) { write_csv(table, write); });
}

bool is_same_output(const std::string& a, const std::string& b) {
  if (is_standard_output(a) || is_standard_output(b)) return is_standard_output(a) && is_standard_output(b);
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(a)) == fs::weakly_canonical(fs::absolute(b));
}

RowFormat row_format(const std::string& path) {
  constexpr std::array<std::pair<std::string_view, RowFormat>, 3> formats{
      {{".csv", RowFormat::csv}, {".tsv", RowFormat::tsv}, {".npy", RowFormat::npy}}};
  const std::string ending = lower_case_ending(path);
  for (const auto& [known, format] : formats) {
    if (ending == known) return format;
  }
  if (is_standard_output(path) || is_written_in_place(path)) return RowFormat::csv;
  refuse_ending(path, ".csv, .tsv, .npy");
}

void check_row_output(const OutputFile& file) {
  (void)row_format(file.path);
  check_output(file);
}

}  // namespace coppice::cli
