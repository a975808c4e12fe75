// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include <fmt/format.h>

#include <iterator>

#include "coppice/data/npy.hpp"
#include "write/csv_cells.hpp"

namespace coppice {

namespace {

void append_name(std::string& text, const Dataset& data, std::size_t row, char separator) {
  if (data.ids().empty()) {
    fmt::format_to(std::back_inserter(text), "{}", row);
  } else {
    text += text_field(data.ids()[row], separator);
  }
}

// With the separators before them, to go behind something.
void append_label(std::string& text, const LabelledRows& rows, std::size_t row, char separator) {
  fmt::format_to(std::back_inserter(text), "{}{}", separator, rows.labels[row]);
  if (rows.probabilities.empty()) return;
  fmt::format_to(std::back_inserter(text), "{}{:.6g}", separator, rows.probabilities[row]);
}

}  // namespace

std::string labels_csv(const LabelledRows& rows, char separator) {
  std::string text = fmt::format("row{}label", separator);
  if (!rows.probabilities.empty()) text += fmt::format("{}probability", separator);
  text += '\n';
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    append_name(text, rows.data, row, separator);
    append_label(text, rows, row, separator);
    text += '\n';
  }
  return text;
}

std::string labels_npy(const LabelledRows& rows) { return npy::to_bytes(rows.labels, {rows.labels.size()}); }

std::string labels_table(const LabelledRows& rows) {
  const CsvCells cells(rows.data, ',');
  std::string text;
  cells.append_header(text);
  text += rows.probabilities.empty() ? ",label\n" : ",label,probability\n";
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    cells.append_row(text, row);
    append_label(text, rows, row, ',');
    text += '\n';
  }
  return text;
}

}  // namespace coppice
