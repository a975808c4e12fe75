// SPDX-License-Identifier: BSD-3-Clause
#include "write/csv_cells.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/write/labels.hpp"
#include "write/label_cells.hpp"

namespace coppice::internal {

namespace {

// NA, nan, inf and the like are words only in quotes.
bool needs_quotes(std::string_view word, char separator) {
  using csv::CellKind;
  if (word.find_first_of("\"\r\n") != std::string_view::npos || word.find(separator) != std::string_view::npos) {
    return true;
  }
  // Who reads a cell takes off the blanks around it.
  if (word.front() == ' ' || word.back() == ' ' || word.front() == '\t' || word.back() == '\t') return true;
  const CellKind kind = csv::classify({word, false}).kind;
  return word.front() == '#' || kind == CellKind::missing || kind == CellKind::infinite;
}

// A gap is an empty cell.
template <class Value>
void append_number(std::string& text, Value value) {
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(text), "{}", value);
}

template <class Value>
void append_all(std::string& text, std::span<const Value> values, char separator) {
  for (const Value value : values) {
    append_number(text, value);
    text += separator;
  }
}

}  // namespace

std::string text_field(std::string_view word, char separator) {
  if (word.empty() || !needs_quotes(word, separator)) return std::string(word);
  std::string quoted = "\"";
  for (const char letter : word) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

CsvCells::CsvCells(const Dataset& table, char separator, std::string id_name) : table_(table), separator_(separator) {
  for (const Column& column : table_.columns()) names_.push_back(column.name);
  for (const CategoryColumn& column : table_.categories()) names_.push_back(column.name);
  if (!table_.weights().empty()) names_.push_back(unused_name(names_, "weight"));
  if (!table_.ids().empty()) names_.insert(names_.begin(), unused_name(names_, std::move(id_name)));
}

// Every cell is followed by a separator, and the last one is taken back.
void CsvCells::append_header(std::string& text) const {
  for (const std::string& name : names_) text += text_field(name, separator_) + separator_;
  if (!text.empty()) text.pop_back();
}

void CsvCells::append_sparse(std::string& text, std::size_t row) const {
  const SparseRow entries = table_.sparse_row(row);
  std::size_t entry = 0;
  for (std::size_t column = 0; column < table_.n_columns(); ++column) {
    if (entry == entries.size() || entries.columns[entry] != column) {
      text += '0';
    } else if (table_.storage() == Storage::float32) {
      append_number(text, entries.floats[entry++]);
    } else {
      append_number(text, entries.doubles[entry++]);
    }
    text += separator_;
  }
}

void CsvCells::append_numbers(std::string& text, std::size_t row) const {
  const std::size_t n_columns = table_.n_columns();
  if (table_.is_sparse()) {
    append_sparse(text, row);
  } else if (table_.storage() == Storage::float32) {
    append_all(text, table_.floats().subspan(row * n_columns, n_columns), separator_);
  } else {
    append_all(text, table_.doubles().subspan(row * n_columns, n_columns), separator_);
  }
}

void CsvCells::append_row(std::string& text, std::size_t row) const {
  const std::size_t begin = text.size();
  if (!table_.ids().empty()) text += text_field(table_.ids()[row], separator_) + separator_;
  append_numbers(text, row);
  for (const CategoryColumn& column : table_.categories()) {
    if (column.codes[row] != no_word)
      text += text_field(column.levels[static_cast<std::size_t>(column.codes[row])], separator_);
    text += separator_;
  }
  if (!table_.weights().empty()) fmt::format_to(std::back_inserter(text), "{}{}", table_.weights()[row], separator_);
  if (text.size() > begin) text.pop_back();
  if (text.size() == begin) text += "\"\"";  // a line without anything would be no row
}

}  // namespace coppice::internal
