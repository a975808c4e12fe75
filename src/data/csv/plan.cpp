// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coppice/data/csv/cell.hpp"
#include "coppice/runtime/error.hpp"
#include "data/yes_no.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

void take_declared_kinds(Plan& plan, const std::vector<std::string>& names, const ReadOptions& options) {
  for (const auto& [name, kind] : options.types) {
    const std::optional<std::size_t> column = find_column(names, name);
    if (!column) throw_unknown_column(names, name);
    std::optional<ColumnKind>& declared = plan.parts[*column].declared;
    if (declared && *declared != kind) {
      throw OptionError(fmt::format("column '{}' is declared both as '{}' and as '{}'; choose one", names[*column],
                                    to_string(*declared), to_string(kind)));
    }
    declared = kind;
  }
}

// Looks at the rows until each wanted column has shown what it holds.
class Decider {
 public:
  Decider(Plan& plan, const ColumnChoice& choice, const Layout& layout, const std::string& file)
      : plan_(plan), layout_(layout), file_(file), is_open_(plan.parts.size()) {
    for (const std::size_t column : choice.data) {
      Part& part = plan_.parts[column];
      part.role = part.declared == ColumnKind::category ? Role::word : Role::number;
      is_open_[column] = !part.declared || part.declared == ColumnKind::binary;  // of 0 and 1, or of yes and no
    }
    n_open_ = static_cast<std::size_t>(std::ranges::count(is_open_, true));
  }

  void decide() {
    Scanner scanner(layout_.rows, layout_.first_line, layout_.separator, file_);
    // Outside the try: nothing stands before the first row, so that what is wrong with it is wrong first.
    if (n_open_ > 0 && scanner.next_record()) look_at_row(scanner);
    try {
      while (n_open_ > 0 && scanner.next_record()) look_at_row(scanner);
    } catch (const DataError&) {
      return;  // an earlier line may be bad as well: the parser names the first
    }
  }

 private:
  void look_at_row(Scanner& scanner) {
    bool has_field = true;
    for (std::size_t column = 0; has_field; ++column) {
      const Field field = scanner.field();
      if (column < is_open_.size() && is_open_[column]) look_at(column, field);
      has_field = scanner.next_field();
    }
  }

  void look_at(std::size_t column, const Field& field) {
    Part& part = plan_.parts[column];
    const Cell cell = classify(field);
    if (is_missing(cell.kind) && plan_.keep_missing) return;
    const bool is_left_to_parser = part.declared.has_value();
    if (cell.kind != CellKind::number && cell.kind != CellKind::word && !is_left_to_parser) {
      throw_bad_number(file_, field, cell.kind, {layout_.names[column], part.declared});
    }
    const bool may_hold_words = !part.declared || yes_or_no(field.text);
    if (cell.kind == CellKind::word && may_hold_words) {
      part.role = Role::word;
      // If numbers follow, this is the cell that is wrong, and a message must say where it stood.
      part.first_text = field.text;
      part.first_line = field.line;
    }
    is_open_[column] = false;
    --n_open_;
  }

  Plan& plan_;
  const Layout& layout_;
  const std::string& file_;
  std::vector<bool> is_open_;
  std::size_t n_open_ = 0;
};

}  // namespace

Plan make_plan(const Layout& layout, const ColumnChoice& choice, const ReadOptions& options, const std::string& file) {
  Plan plan;
  plan.parts.resize(layout.names.size());
  plan.keep_missing = options.keep_missing;
  take_declared_kinds(plan, layout.names, options);
  Decider(plan, choice, layout, file).decide();
  if (choice.id) plan.parts[*choice.id].role = Role::id;
  if (choice.weights) plan.parts[*choice.weights].role = Role::weight;
  for (const std::size_t column : choice.data) {
    Part& part = plan.parts[column];
    part.slot = part.role == Role::word ? plan.n_words++ : plan.n_numbers++;
  }
  return plan;
}

}  // namespace coppice::csv
