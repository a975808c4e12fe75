// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "data/csv/cell.hpp"

namespace coppice::csv {

namespace {

class RowParser {
 public:
  RowParser(std::string_view lines, std::size_t first_line, const Layout& layout, const Plan& plan,
            const std::string& file)
      : layout_(layout), plan_(plan), file_(file), scanner_(lines, first_line, layout.separator, file) {
    // Lines times columns, but never more cells than the bytes can hold: one for a value, one for its end.
    const auto n_lines = static_cast<std::size_t>(std::ranges::count(lines, '\n')) + 1;
    const std::size_t most_cells = lines.size() / 2 + 1;
    rows_.values.reserve(std::min(n_lines, most_cells / std::max<std::size_t>(plan.n_numbers, 1) + 1) * plan.n_numbers);
    rows_.words.resize(plan.n_words);
  }

  Rows parse() {
    while (scanner_.next_record()) {
      parse_row();
      ++rows_.n_rows;
    }
    return std::move(rows_);
  }

 private:
  void parse_row() {
    const std::size_t line = scanner_.line();
    const std::size_t n_fields = plan_.parts.size();
    rows_.values.resize(rows_.values.size() + plan_.n_numbers);
    std::size_t n = 0;
    bool has_field = true;
    for (; has_field && n < n_fields; ++n) {
      parse_cell(n);
      has_field = scanner_.next_field();
    }
    if (n < n_fields || has_field) refuse_row(line, n, has_field);
  }

  void parse_cell(std::size_t column) {
    const Part& part = plan_.parts[column];
    switch (part.role) {
      case Role::number:
        rows_.values[rows_.values.size() - plan_.n_numbers + part.slot] = number(column);
        break;
      case Role::weight:
        rows_.weights.push_back(weight(column));
        break;
      case Role::word:
        add_word(column);
        break;
      case Role::id:
        add_id(column);
        break;
      case Role::ignored:
        (void)scanner_.field();
        break;
    }
  }

  double number(std::size_t column) {
    double value = 0.0;
    if (scanner_.number(value)) return value;
    const Field field = scanner_.field();
    const Cell cell = classify(field);
    if (cell.kind == CellKind::number) return cell.value;
    if (cell.kind == CellKind::word && plan_.parts[column].role == Role::weight) {
      throw DataError(
          fmt::format("{}:{}:{}: the weight {} in column {} is not a number, expected a number of 0 or more", file_,
                      field.line, field.number, show(field.text), show(layout_.names[column])));
    }
    throw_bad_number(file_, field, cell.kind, layout_.names[column]);
  }

  double weight(std::size_t column) {
    const std::size_t line = scanner_.line();
    const double value = number(column);
    if (value < 0.0) {
      throw DataError(fmt::format("{}:{}:{}: the weight {} in column {} is negative, expected 0 or more", file_, line,
                                  column + 1, value, show(layout_.names[column])));
    }
    return value;
  }

  void add_word(std::size_t column) {
    const Part& part = plan_.parts[column];
    const Field field = scanner_.field();
    Words& words = rows_.words[part.slot];
    const auto [code, is_new] = words.code(field.text);
    if (is_new || !field.is_quoted) check_word(field, column);
    words.codes.push_back(code);
  }

  void check_word(const Field& field, std::size_t column) const {
    const Part& part = plan_.parts[column];
    const Cell cell = classify(field);
    if (cell.kind == CellKind::number) {  // then the words before it are wrong, and the first of them is named
      throw_bad_number(file_, {part.first_text, false, part.first_line, column + 1}, CellKind::word,
                       layout_.names[column]);
    }
    if (cell.kind != CellKind::word) throw_bad_number(file_, field, cell.kind, layout_.names[column]);
    if (!is_utf8(field.text)) throw_not_utf8(file_, field);
  }

  void add_id(std::size_t column) {
    const Field field = scanner_.field();
    if (field.text.empty()) {
      throw DataError(
          fmt::format("{}:{}:{}: the cell in column {} is empty, expected the row's name; fill it in or choose "
                      "another column for the row names",
                      file_, field.line, field.number, show(layout_.names[column])));
    }
    if (!is_utf8(field.text)) throw_not_utf8(file_, field);
    rows_.ids.emplace_back(field.text);
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
  Rows rows_;
};

}  // namespace

std::pair<std::int32_t, bool> Words::code(std::string_view word) {
  const auto found = index_.find(word);
  if (found != index_.end()) return {found->second, false};
  const auto next = static_cast<std::int32_t>(levels_.size());
  levels_.emplace_back(word);
  index_.emplace(levels_.back(), next);
  return {next, true};
}

Rows parse_rows(std::string_view lines, std::size_t first_line, const Layout& layout, const Plan& plan,
                const std::string& file) {
  return RowParser(lines, first_line, layout, plan, file).parse();
}

}  // namespace coppice::csv
