// SPDX-License-Identifier: BSD-3-Clause
// Cells of a text table go out as they stand in the file, not as they were read: 1.50 stays 1.50, and columns that were
// left out are there as well. So the file is read a second time, in step with the labels.

#include "coppice/write/labelled_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "coppice/data/csv/layout.hpp"
#include "coppice/data/csv/scanner.hpp"
#include "coppice/data/decompress.hpp"
#include "coppice/data/format.hpp"
#include "coppice/data/input.hpp"
#include "coppice/runtime/error.hpp"
#include "write/csv_cells.hpp"
#include "write/label_cells.hpp"
#include "write/pieces.hpp"

namespace coppice::internal {

namespace {

using Write = std::function<void(std::string_view)>;

[[noreturn]] void refuse_changed(const std::string& path, const std::string& what) {
  throw DataError(fmt::format("{}: {}", path, what));
}

bool can_be_read_again(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file_of_input(path), ignored);
  // What is gone is tried all the same: opening it says so.
  return path != "-" && (std::filesystem::is_regular_file(status) || !std::filesystem::exists(status));
}

// A number says where the column stands, not what it is called.
std::string name_of_ids(const ReadOptions& options) {
  if (!options.id) return "row";
  const bool is_number = std::ranges::all_of(*options.id, [](char letter) { return letter >= '0' && letter <= '9'; });
  return is_number ? "row" : *options.id;
}

// A cell as the file has it. What stood there without quotes, such as NA, needs none here, unless the comma cuts it.
void append_cell(std::string& text, const csv::Field& field) {
  const bool is_plain = !field.is_quoted && field.text.find_first_of(",\"\r\n") == std::string_view::npos;
  text += is_plain ? std::string(field.text) : text_field(field.text, ',');
}

// The rows of a text table, cell by cell.
void write_text_table(const Content& content, const TableSource& source, const LabelledRows& rows, const Write& write) {
  const csv::Layout layout = csv::find_layout(content, source.options.header);
  const LabelCells labels(rows, ',');
  Pieces pieces(write);
  std::string& header = pieces.text();
  for (const std::string& name : layout.names) {
    if (!header.empty()) header += ',';
    header += text_field(name, ',');
  }
  labels.append_names(header, layout.names);
  header += '\n';
  csv::Scanner scanner(layout.rows, layout.first_line, layout.separator, content.name);
  std::size_t row = 0;
  for (; row < rows.labels.size() && scanner.next_record(); ++row) {
    std::string& text = pieces.text();
    append_cell(text, scanner.field());
    while (scanner.next_field()) {
      text += ',';
      append_cell(text, scanner.field());
    }
    labels.append(text, row);
    text += '\n';
  }
  const bool has_more = !source.options.max_rows && scanner.next_record();
  if (row < rows.labels.size() || has_more) refuse_changed(source.path, "has other rows than it had");
  pieces.finish();
}

void write_dataset(const LabelledRows& rows, const std::string& id_name, const Write& write) {
  const CsvCells cells(rows.data, ',', id_name);
  const LabelCells labels(rows, ',');
  Pieces pieces(write);
  cells.append_header(pieces.text());
  labels.append_names(pieces.text(), cells.names());
  pieces.text() += '\n';
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    std::string& text = pieces.text();
    cells.append_row(text, row);
    labels.append(text, row);
    text += '\n';
  }
  pieces.finish();
}

// All columns of a file that is no text, none of them as ids or weights.
void write_stored_table(const TableSource& source, const LabelledRows& rows, const Write& write) {
  const Dataset table = read(source.path, {.max_rows = source.options.max_rows,
                                           .query = source.options.query,
                                           .keep_missing = true,
                                           .threads = source.options.threads});
  if (table.n_rows() != rows.labels.size()) refuse_changed(source.path, "has other rows than it had");
  write_dataset({table, rows.labels, rows.probabilities}, "row", write);
}

Input opened_again(const TableSource& source) {
  try {
    return decompressed(open_input(source.path), source.options);
  } catch (const IoError& error) {
    throw DataError(error.text());
  }
}

}  // namespace

void write_labelled_rows(const TableSource& source, const LabelledRows& rows, const Write& write) {
  write_dataset(rows, name_of_ids(source.options), write);
}

void write_labelled_input(const TableSource& source, const LabelledRows& rows, const Write& write) {
  if (!can_be_read_again(source.path)) return write_labelled_rows(source, rows, write);
  const Input input = opened_again(source);
  const bool is_text = find_format(input, source.options) == nullptr;
  return is_text ? write_text_table(input.content, source, rows, write) : write_stored_table(source, rows, write);
}

}  // namespace coppice::internal
