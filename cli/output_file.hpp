// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "coppice/data/dataset.hpp"

namespace coppice::cli {

// A file that a command writes; it is not to replace an earlier one unasked.
struct OutputFile {
  std::string path;
  bool force = false;
};

// An empty path, "-", or a name of it such as /dev/stdout. Nothing but the table goes there.
[[nodiscard]] bool is_standard_output(const std::string& path);

// IoError if the file exists and is not to be replaced, or cannot be written: asked before any work is done.
void check_output(const OutputFile& file);

// Whole or not at all. IoError if the file appeared meanwhile and is not to be replaced.
void write_output(const OutputFile& file, std::string_view bytes);
// The same for what comes in pieces: `write_all` is called once, with the function that takes them.
using WritePiece = std::function<void(std::string_view piece)>;
void write_output_in_pieces(const OutputFile& file, const std::function<void(const WritePiece& write)>& write_all);

// The same for a table in any format that is written, by its ending; CSV to standard output. OptionError as below.
void check_table_output(const OutputFile& file);
void write_table_output(const OutputFile& file, const Dataset& table);

// Whether two paths lead to one place.
[[nodiscard]] bool is_same_output(const std::string& a, const std::string& b);

// How one value (or two) per row is written, by the ending of the name, in capitals or not. Standard output and what is
// written in place, such as pipes, is CSV unless its name says otherwise. OptionError if the ending is unknown.
enum class RowFormat : std::uint8_t { csv, tsv, npy };
[[nodiscard]] RowFormat row_format(const std::string& path);
// check_output, and that the ending is known.
void check_row_output(const OutputFile& file);
[[nodiscard]] inline char separator_of(RowFormat format) { return format == RowFormat::tsv ? '\t' : ','; }

}  // namespace coppice::cli
