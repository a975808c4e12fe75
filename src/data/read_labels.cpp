// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/csv/read_csv.hpp"
#include "data/csv/scanner.hpp"
#include "data/decompress.hpp"
#include "data/foreign_format.hpp"
#include "data/format.hpp"
#include "data/input.hpp"
#include "data/libsvm/read_libsvm.hpp"

namespace coppice {

namespace {

constexpr std::int32_t smallest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

// `place_of` says where a row's label stands, for the message.
std::vector<std::int32_t> labels_of_numbers(const Dataset& table,
                                            const std::function<std::string(std::size_t)>& place_of) {
  std::vector<std::int32_t> labels(table.n_rows());
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double value = table.value(row, 0);
    if (value != std::floor(value) || value < smallest || value > largest) {
      throw DataError(fmt::format("{}: the label is {}, expected a whole number from {} to {}, or words in all rows",
                                  place_of(row), value, smallest, largest));
    }
    labels[row] = static_cast<std::int32_t>(value);
  }
  return labels;
}

std::vector<std::int32_t> labels_of_words(const CategoryColumn& column) {
  std::vector<std::int32_t> label_of(column.levels.size(), -1);
  std::int32_t next = 0;
  std::vector<std::int32_t> labels;
  labels.reserve(column.codes.size());
  for (const std::int32_t code : column.codes) {
    std::int32_t& label = label_of[static_cast<std::size_t>(code)];
    if (label < 0) label = next++;
    labels.push_back(label);
  }
  return labels;
}

// Of an array, or of a query's result: its only column.
std::vector<std::int32_t> labels_of_table(const Dataset& table, const std::string& name) {
  if (table.n_columns() + table.categories().size() != 1) {
    throw DataError(fmt::format("{}: {} rows of {} columns, expected one label per row (an array of shape ({},))", name,
                                table.n_rows(), table.n_columns() + table.categories().size(), table.n_rows()));
  }
  if (!table.categories().empty()) return labels_of_words(table.categories()[0]);
  return labels_of_numbers(table,
                           [&](std::size_t row) { return fmt::format("{}: row {} (counted from 1)", name, row + 1); });
}

// The column of labels, by the name that our own labels.csv gives it.
ReadOptions label_column(const csv::Layout& layout, const std::string& file) {
  if (layout.names.size() == 1) return {};
  if (std::ranges::find(layout.names, "label") == layout.names.end()) {
    throw DataError(
        fmt::format("{}: {} columns ({}) and none is called 'label'; expected a file of one column, or name "
                    "the column of labels 'label'",
                    file, layout.names.size(), fmt::join(layout.names, ", ")));
  }
  return {.columns = {"label"}};
}

// file:line:column of a row's label.
std::string place_in_text(const csv::Layout& layout, const std::string& file, std::size_t row) {
  csv::Scanner scanner(layout.rows, layout.first_line, layout.separator, file);
  for (std::size_t before = 0; scanner.next_record() && before < row; ++before) {
    do {
      (void)scanner.field();
    } while (scanner.next_field());
  }
  const auto named = std::ranges::find(layout.names, "label");
  const std::ptrdiff_t column = layout.names.size() == 1 ? 0 : named - layout.names.begin();
  return fmt::format("{}:{}:{}", file, scanner.line(), column + 1);
}

// A single column of words: is its first line the name, or a label? It is a label if it comes again.
bool comes_again(const csv::Layout& layout, const Dataset& table) {
  return layout.names.size() == 1 && !table.categories().empty() &&
         std::ranges::binary_search(table.categories()[0].levels, layout.names[0]);
}

}  // namespace

std::vector<std::int32_t> read_labels(const std::string& path) {
  const Input input = decompressed(open_input(path), {});
  const Content& content = input.content;
  const Format* format = find_format(input, {});
  if (libsvm::looks_like_libsvm(content.bytes)) return libsvm::read_labels(content);
  if (format != nullptr) return labels_of_table(format->read(input, {}).data, content.name);
  refuse_foreign_format(content);
  csv::Layout layout = csv::find_layout(content);
  Dataset table = csv::read(content, layout, label_column(layout, content.name));
  if (layout.has_header && comes_again(layout, table)) {
    layout = csv::find_layout(content, HeaderRule::absent);
    table = csv::read(content, layout, {});
  }
  if (!table.categories().empty()) return labels_of_words(table.categories()[0]);
  return labels_of_numbers(table, [&](std::size_t row) { return place_in_text(layout, content.name, row); });
}

}  // namespace coppice
