// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include <fmt/format.h>

#include <iterator>

#include "coppice/data/npy.hpp"
#include "write/csv_cells.hpp"

namespace coppice {

namespace {

void append_name(std::string& text, const Dataset& data, std::size_t row) {
  if (data.ids().empty()) {
    fmt::format_to(std::back_inserter(text), "{}", row);
  } else {
    text += csv_field(data.ids()[row]);
  }
}

}  // namespace

std::string csv_field(const std::string& word) { return text_field(word, ','); }

std::string labels_csv(const LabelledRows& rows) {
  std::string text = rows.probabilities.empty() ? "row,label\n" : "row,label,probability\n";
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    append_name(text, rows.data, row);
    fmt::format_to(std::back_inserter(text), ",{}", rows.labels[row]);
    if (!rows.probabilities.empty()) fmt::format_to(std::back_inserter(text), ",{:.6g}", rows.probabilities[row]);
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
    fmt::format_to(std::back_inserter(text), ",{}", rows.labels[row]);
    if (!rows.probabilities.empty()) fmt::format_to(std::back_inserter(text), ",{:.6g}", rows.probabilities[row]);
    text += '\n';
  }
  return text;
}

}  // namespace coppice
