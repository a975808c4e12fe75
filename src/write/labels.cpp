// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include <fmt/format.h>

#include <iterator>

#include "coppice/data/npy.hpp"

namespace coppice {

namespace {

void append_name(std::string& text, const Dataset& data, std::size_t row) {
  if (data.ids().empty()) {
    fmt::format_to(std::back_inserter(text), "{}", row);
  } else {
    text += csv_field(data.ids()[row]);
  }
}

void append_value(std::string& text, const Dataset& data, std::size_t row, std::size_t column) {
  if (data.storage() == Storage::float32) {
    fmt::format_to(std::back_inserter(text), "{}", data.floats()[row * data.n_columns() + column]);
  } else {
    fmt::format_to(std::back_inserter(text), "{}", data.doubles()[row * data.n_columns() + column]);
  }
}

}  // namespace

std::string csv_field(const std::string& word) {
  if (word.find_first_of(",\"\r\n") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char letter : word) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

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
  std::string text = rows.data.ids().empty() ? "" : "row,";
  for (const Column& column : rows.data.columns()) text += csv_field(column.name) + ",";
  text += rows.probabilities.empty() ? "label\n" : "label,probability\n";
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    if (!rows.data.ids().empty()) {
      append_name(text, rows.data, row);
      text += ',';
    }
    for (std::size_t column = 0; column < rows.data.n_columns(); ++column) {
      append_value(text, rows.data, row, column);
      text += ',';
    }
    fmt::format_to(std::back_inserter(text), "{}", rows.labels[row]);
    if (!rows.probabilities.empty()) fmt::format_to(std::back_inserter(text), ",{:.6g}", rows.probabilities[row]);
    text += '\n';
  }
  return text;
}

}  // namespace coppice
