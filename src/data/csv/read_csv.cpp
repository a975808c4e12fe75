// SPDX-License-Identifier: BSD-3-Clause
// The bytes are gone through up to three times: as many rows as the plan needs, a scan that counts records and cuts the
// file, and the parse itself. So the table is made once at its full size, and every piece writes to rows of its own: no
// thread waits for another, and nothing is copied together in the end.

#include "data/csv/read_csv.hpp"

#include <fmt/format.h>

#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "data/csv/rows.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

// One list of words per piece and column of words.
using WordsOfPieces = std::vector<std::vector<Words>>;

CategoryColumn category(std::string name, std::size_t slot, Table& table, const std::vector<Piece>& pieces,
                        const WordsOfPieces& words) {
  CategoryColumn column{.name = std::move(name), .levels = {}, .codes = std::move(table.codes[slot])};
  std::vector<CodedWords> parts;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    const std::span<std::int32_t> codes(column.codes);
    parts.push_back({&words[piece][slot], codes.subspan(pieces[piece].first_row, pieces[piece].n_rows)});
  }
  column.levels = make_common(parts);
  return column;
}

// Kinds as declared, else as guessed.
Dataset with_declared_kinds(const Dataset& table, const Plan& plan) {
  std::vector<ColumnKind> kinds;
  for (const Column& column : table.columns()) kinds.push_back(column.kind);
  for (const Part& part : plan.parts) {
    if (part.role == Role::number && part.declared) kinds[part.slot] = *part.declared;
  }
  return table.with_kinds(kinds);
}

// Each row takes a byte per field at least: its separators and its line end.
bool can_all_be_complete(std::size_t n_rows, const Layout& layout) {
  return n_rows <= (layout.rows.size() + 1) / layout.names.size();
}

}  // namespace

Dataset read(const Content& content, const Layout& layout, const ReadOptions& options, std::size_t bytes_per_piece) {
  const ColumnChoice choice = choose_columns(layout.names, options);
  const Plan plan = make_plan(layout, choice, options, content.name);
  LocalExecution local(layout.rows.size() <= bytes_per_piece ? 1 : options.threads);
  Cutting cutting{.bytes_per_piece = bytes_per_piece};
  if (options.max_rows) cutting.max_rows = *options.max_rows;
  const std::vector<Piece> pieces = cut_into_pieces(content, layout, cutting, local.get());
  const std::size_t n_rows = count_rows(pieces);
  const RowParser parser(layout, plan, content.name);
  // A wide header above many short lines would ask for memory that the file can never fill: it is refused before any is
  // taken.
  if (!can_all_be_complete(n_rows, layout)) parser.refuse(pieces);

  require_memory(Table::size(plan, n_rows), content.name, options);
  Table rows(plan, n_rows);
  WordsOfPieces words(pieces.size(), std::vector<Words>(plan.n_words));
  for_each_task(local.get(), {.count = pieces.size()},
                [&](std::size_t piece) { parser.parse(pieces[piece], rows, words[piece]); });

  std::vector<std::string> names(plan.n_numbers);
  std::vector<bool> are_made_up(plan.n_numbers);
  std::vector<CategoryColumn> categories(plan.n_words);
  for (const std::size_t column : choice.data) {
    const Part& part = plan.parts[column];
    if (part.role == Role::word) {
      categories[part.slot] = category(layout.names[column], part.slot, rows, pieces, words);
      categories[part.slot].is_made_up = layout.are_made_up[column];
      if (part.first_line > 0) {
        categories[part.slot].place = fmt::format("{}:{}:{}", content.name, part.first_line, column + 1);
      }
    } else {
      names[part.slot] = layout.names[column];
      are_made_up[part.slot] = layout.are_made_up[column];
    }
  }
  Dataset table = options.keep_missing ? Dataset::from_rows_with_gaps(std::move(rows.values), n_rows, plan.n_numbers)
                                       : Dataset::from_rows(std::move(rows.values), n_rows, plan.n_numbers);
  table =
      with_declared_kinds(table.with_names(std::move(names), are_made_up), plan).with_categories(std::move(categories));
  if (choice.id) table = table.with_ids(std::move(rows.ids));
  if (choice.weights) table = table.with_weights(std::move(rows.weights));
  return table;
}

}  // namespace coppice::csv
