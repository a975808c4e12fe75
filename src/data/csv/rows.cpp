// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/error.hpp"
#include "data/kind_guess.hpp"
#include "data/yes_no.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

bool has_part(const Plan& plan, Role role) { return std::ranges::count(plan.parts, role, &Part::role) > 0; }

// Goes through one piece, row by row.
class PieceParser {
 public:
  PieceParser(const Layout& layout, const Plan& plan, const std::string& file, const Piece& piece)
      : layout_(layout),
        plan_(plan),
        file_(file),
        scanner_(piece.lines, piece.first_line, layout.separator, file),
        n_left_(piece.n_rows) {}

  bool next_row() { return n_left_ > 0 && scanner_.next_record(); }

  void parse_row(Table& table, std::size_t row, std::span<Words> words) {
    const std::size_t line = scanner_.line();
    const std::size_t n_fields = plan_.parts.size();
    double* const values = table.values.data() + row * plan_.n_numbers;
    std::size_t n = 0;
    bool has_field = true;
    for (; has_field && n < n_fields; ++n) {
      const Part& part = plan_.parts[n];
      if (part.role == Role::number) {
        // The short way, for numbers written plainly: they are not classified.
        if (!scanner_.number(values[part.slot])) values[part.slot] = uncommon_number(n);
        if (part.declared) check_kind(n, values[part.slot]);
      } else {
        parse_cell(n, table, row, words);
      }
      has_field = scanner_.next_field();
    }
    if (n < n_fields || has_field) refuse_row(line, n, has_field);
    --n_left_;
  }

 private:
  void parse_cell(std::size_t column, Table& table, std::size_t row, std::span<Words> words) {
    const Part& part = plan_.parts[column];
    switch (part.role) {
      case Role::weight:
        table.weights[row] = weight(column);
        break;
      case Role::word:
        table.codes[part.slot][row] = word(column, words[part.slot]);
        break;
      case Role::id:
        table.ids[row] = id(column);
        break;
      case Role::number:
      case Role::ignored:
        (void)scanner_.field();
        break;
    }
  }

  // A number in quotes, a missing entry that is kept, or an error.
  double uncommon_number(std::size_t column) {
    const Field field = scanner_.field();
    const Cell cell = classify(field);
    if (cell.kind == CellKind::number) return cell.value;
    if (plan_.keep_missing && is_missing(cell.kind)) return std::numeric_limits<double>::quiet_NaN();
    throw_bad_number(file_, field, cell.kind, {layout_.names[column], plan_.parts[column].declared});
  }

  void check_kind(std::size_t column, double value) const {
    const ColumnKind kind = *plan_.parts[column].declared;
    if (std::isnan(value) || admits(kind, value)) return;
    throw DataError(fmt::format(
        "{}:{}:{}: {} in column {} is not {}, as its kind '{}' asks; correct it or declare the "
        "column as real",
        file_, scanner_.line(), column + 1, value, show(layout_.names[column]), values_of(kind), to_string(kind)));
  }

  double weight(std::size_t column) {
    double value = 0.0;
    if (!scanner_.number(value)) value = uncommon_weight(column);
    if (value < 0.0) {
      throw DataError(fmt::format("{}:{}:{}: the weight {} in column {} is negative, expected 0 or more", file_,
                                  scanner_.line(), column + 1, value, show(layout_.names[column])));
    }
    return value;
  }

  double uncommon_weight(std::size_t column) {
    const Field field = scanner_.field();
    const Cell cell = classify(field);
    if (cell.kind == CellKind::number) return cell.value;
    if (cell.kind != CellKind::word) throw_bad_number(file_, field, cell.kind, {layout_.names[column], {}});
    throw DataError(fmt::format("{}:{}:{}: the weight {} in column {} is not a number, expected a number of 0 or more",
                                file_, field.line, field.number, show(field.text), show(layout_.names[column])));
  }

  std::int32_t word(std::size_t column, Words& words) {
    const Field field = scanner_.field();
    if (plan_.keep_missing && is_missing(classify(field).kind)) return no_word;
    const auto [code, is_new] = words.code(field.text);
    // A word that is known may be wrong all the same without quotes: "NA" in quotes is a word, and NA is not.
    if (is_new || !field.is_quoted) check_word(field, column);
    return code;
  }

  void check_word(const Field& field, std::size_t column) const {
    const Part& part = plan_.parts[column];
    const CellKind kind = classify(field).kind;
    const bool is_declared = part.declared == ColumnKind::category;
    if (part.declared == ColumnKind::binary && kind == CellKind::word && !yes_or_no(field.text)) {
      throw_bad_number(file_, field, kind, {layout_.names[column], part.declared});
    }
    if (is_missing(kind) && is_declared) throw_missing_word(file_, field, layout_.names[column]);
    if (!is_declared && kind == CellKind::number) {  // then the words before it are wrong, and the first is named
      throw_bad_number(file_, {part.first_text, false, part.first_line, column + 1}, CellKind::word,
                       {layout_.names[column], {}, !layout_.has_header && part.first_line == layout_.first_line});
    }
    if (!is_declared && kind != CellKind::word) throw_bad_number(file_, field, kind, {layout_.names[column], {}});
    if (!is_utf8(field.text)) throw_not_utf8(file_, field);
  }

  std::string id(std::size_t column) {
    const Field field = scanner_.field();
    if (field.text.empty()) {
      throw DataError(
          fmt::format("{}:{}:{}: the cell in column {} is empty, expected the row's name; fill it in or choose "
                      "another column for the row names",
                      file_, field.line, field.number, show(layout_.names[column])));
    }
    if (!is_utf8(field.text)) throw_not_utf8(file_, field);
    return std::string(field.text);
  }

  [[noreturn]] void refuse_row(std::size_t line, std::size_t n_fields, bool has_more) {
    while (has_more) {
      (void)scanner_.field();
      ++n_fields;
      has_more = scanner_.next_field();
    }
    throw DataError(
        fmt::format("{}:{}: the row has {} {}, expected {} as in the {} (fields are separated by {}); add "
                    "what is missing, or put quotes around text that holds a separator",
                    file_, line, n_fields, n_fields == 1 ? "field" : "fields", plan_.parts.size(),
                    layout_.has_header ? "header" : "first row", separator_name(layout_.separator)));
  }

  const Layout& layout_;
  const Plan& plan_;
  const std::string& file_;
  Scanner scanner_;
  std::size_t n_left_;
};

}  // namespace

Table::Table(const Plan& plan, std::size_t rows)
    : n_rows(rows),
      values(rows * plan.n_numbers),
      weights(has_part(plan, Role::weight) ? rows : 0),
      ids(has_part(plan, Role::id) ? rows : 0),
      codes(plan.n_words, std::vector<std::int32_t>(rows)) {}

std::size_t Table::size(const Plan& plan, std::size_t n_rows) noexcept {
  const std::size_t n_doubles = plan.n_numbers + (has_part(plan, Role::weight) ? 1 : 0);
  return n_rows * (n_doubles * sizeof(double) + plan.n_words * sizeof(std::int32_t) +
                   (has_part(plan, Role::id) ? sizeof(std::string) : 0));
}

void RowParser::parse(const Piece& piece, Table& table, std::span<Words> words) const {
  PieceParser parser(layout_, plan_, file_, piece);
  for (std::size_t row = piece.first_row; parser.next_row(); ++row) parser.parse_row(table, row, words);
}

void RowParser::refuse(std::span<const Piece> pieces) const {
  Table one_row(plan_, 1);
  std::vector<Words> words(plan_.n_words);
  for (const Piece& piece : pieces) {
    PieceParser parser(layout_, plan_, file_, piece);
    while (parser.next_row()) parser.parse_row(one_row, 0, words);
  }
  throw std::logic_error("every row is complete, and yet there are more fields than bytes");
}

}  // namespace coppice::csv
