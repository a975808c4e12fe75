// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "coppice/runtime/error.hpp"
#include "data/csv/cell.hpp"
#include "data/csv/rows.hpp"

namespace coppice::csv {

namespace {

// What the first row says about a column that the user wants as data.
void decide(Part& part, const Field& field, std::string_view name, const std::string& file) {
  const Cell cell = classify(field);
  if (cell.kind == CellKind::number) {
    part.role = Role::number;
    return;
  }
  if (cell.kind != CellKind::word) throw_bad_number(file, field, cell.kind, name);
  part.role = Role::word;
  part.first_text = field.text;
  part.first_line = field.line;
}

}  // namespace

Plan make_plan(const Layout& layout, const ColumnChoice& choice, const std::string& file) {
  Plan plan;
  plan.parts.resize(layout.names.size());
  std::vector<bool> is_wanted(layout.names.size());
  for (const std::size_t column : choice.data) is_wanted[column] = true;
  if (choice.id) plan.parts[*choice.id].role = Role::id;
  if (choice.weights) plan.parts[*choice.weights].role = Role::weight;

  Scanner scanner(layout.rows, layout.first_line, layout.separator, file);
  bool has_field = scanner.next_record();
  for (std::size_t column = 0; has_field && column < plan.parts.size(); ++column) {
    const Field field = scanner.field();
    if (is_wanted[column]) decide(plan.parts[column], field, layout.names[column], file);
    has_field = scanner.next_field();
  }
  for (const std::size_t column : choice.data) {
    Part& part = plan.parts[column];
    part.slot = part.role == Role::word ? plan.n_words++ : plan.n_numbers++;
  }
  return plan;
}

}  // namespace coppice::csv
