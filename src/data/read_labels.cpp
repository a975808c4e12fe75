// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "coppice/data/csv/scanner.hpp"
#include "coppice/data/decompress.hpp"
#include "coppice/data/format.hpp"
#include "coppice/data/input.hpp"
#include "coppice/data/label_column.hpp"
#include "coppice/data/read.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "data/csv/read_csv.hpp"
#include "data/foreign_format.hpp"
#include "data/libsvm/read_libsvm.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::int32_t smallest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

// `place_of` says where a row's label stands, for the message.
LabelColumn labels_of_numbers(const Dataset& table, const std::function<std::string(std::size_t)>& place_of) {
  std::vector<std::int32_t> labels(table.n_rows());
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double value = table.value(row, 0);
    if (value != std::floor(value) || value < smallest || value > largest) {
      throw DataError(fmt::format("{}: the label is {}, expected a whole number from {} to {}, or words in all rows",
                                  place_of(row), value, smallest, largest));
    }
    labels[row] = static_cast<std::int32_t>(value);
  }
  return {.labels = std::move(labels)};
}

LabelColumn labels_of_words(const CategoryColumn& column) {
  std::vector<std::int32_t> label_of(column.levels.size(), -1);
  LabelColumn result;
  result.labels.reserve(column.codes.size());
  for (const std::int32_t code : column.codes) {
    std::int32_t& label = label_of[static_cast<std::size_t>(code)];
    if (label < 0) {
      label = static_cast<std::int32_t>(result.words.size());
      result.words.push_back(column.levels[static_cast<std::size_t>(code)]);
    }
    result.labels.push_back(label);
  }
  return result;
}

// Of an array, or of a query's result: its only column.
LabelColumn labels_of_table(const Dataset& table, const std::string& name) {
  if (table.n_columns() + table.categories().size() != 1) {
    throw DataError(fmt::format("{}: {} of {}, expected one label per row (an array of shape ({},))", name,
                                counted(table.n_rows(), "row"),
                                counted(table.n_columns() + table.categories().size(), "column"), table.n_rows()));
  }
  if (!table.categories().empty()) return labels_of_words(table.categories()[0]);
  return labels_of_numbers(table,
                           [&](std::size_t row) { return fmt::format("{}: row {} (counted from 1)", name, row + 1); });
}

// Which columns of a text table are looked at.
struct LabelPlace {
  std::size_t label = 0;
  std::optional<std::size_t> id;
};

std::optional<std::size_t> find_name(const std::vector<std::string>& names, const std::string& wanted) {
  const auto found = std::ranges::find(names, wanted);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<std::size_t> find_ids(const std::vector<std::string>& names, const std::string& id) {
  if (names.size() == 1) return std::nullopt;
  for (const std::string& name : {id, std::string("row"), std::string("id"), std::string("ID")}) {
    if (const auto found = find_name(names, name)) return found;
  }
  return std::nullopt;
}

// Labels by the name that our own labels.csv gives them, or the only column that has no row ids in it.
LabelPlace find_labels(const csv::Layout& layout, const std::string& file, const std::string& id) {
  const std::vector<std::string>& names = layout.names;
  LabelPlace place{.label = 0, .id = find_ids(names, id)};
  if (names.size() == 1) return place;
  if (const auto label = find_name(names, "label")) {
    place.label = *label;
  } else if (names.size() == 2 && place.id) {
    place.label = 1 - *place.id;
  } else {
    throw DataError(
        fmt::format("{}: {} columns ({}) and none is called 'label'; expected a file of one column, or name "
                    "the column of labels 'label'",
                    file, names.size(), fmt::join(names, ", ")));
  }
  return place;
}

ReadOptions columns_at(const csv::Layout& layout, const LabelPlace& place, bool with_ids) {
  ReadOptions options{.columns = {layout.names[place.label]}};
  if (place.id && with_ids) options.id = layout.names[*place.id];
  return options;
}

// file:line:column of a row's label.
std::string place_in_text(const csv::Layout& layout, const std::string& file, std::size_t row, std::size_t column) {
  csv::Scanner scanner(layout.rows, layout.first_line, layout.separator, file);
  for (std::size_t before = 0; scanner.next_record() && before < row; ++before) {
    do {
      (void)scanner.field();
    } while (scanner.next_field());
  }
  return fmt::format("{}:{}:{}", file, scanner.line(), column + 1);
}

// A single column of words: is its first line the name, or a label? It is a label if it comes again.
bool comes_again(const csv::Layout& layout, const Dataset& table) {
  return layout.names.size() == 1 && !table.categories().empty() &&
         std::ranges::binary_search(table.categories()[0].levels, layout.names[0]);
}

LabelColumn labels_of_text(const Content& content, const std::optional<std::string>& id) {
  csv::Layout layout = csv::find_layout(content);
  LabelPlace place = find_labels(layout, content.name, id.value_or("row"));
  Dataset table = csv::read(content, layout, columns_at(layout, place, id.has_value()));
  if (layout.has_header && comes_again(layout, table)) {
    layout = csv::find_layout(content, HeaderRule::absent);
    place = {};
    table = csv::read(content, layout, {});
  }
  LabelColumn labels = !table.categories().empty() ? labels_of_words(table.categories()[0])
                                                   : labels_of_numbers(table, [&](std::size_t row) {
                                                       return place_in_text(layout, content.name, row, place.label);
                                                     });
  labels.ids = table.ids();
  return labels;
}

// Without a name for them, nobody looks at ids.
LabelColumn labels_in(const Input& input, const std::optional<std::string>& id) {
  const Content& content = input.content;
  const Format* format = find_format(input, {});
  if (libsvm::looks_like_libsvm(content.bytes)) return {.labels = libsvm::read_labels(content)};
  if (format != nullptr) return labels_of_table(format->read(input, {}).data, content.name);
  refuse_foreign_format(content);
  return labels_of_text(content, id);
}

}  // namespace

LabelColumn internal::read_label_column(const std::string& path, const std::string& id) {
  const Input input = decompressed(open_input(path), {});
  LabelColumn labels = labels_in(input, id);
  labels.file = input.content.name;
  put_in_row_order(labels);
  return labels;
}

std::vector<std::int32_t> read_labels(const std::string& path) {
  return labels_in(decompressed(open_input(path), {}), std::nullopt).labels;
}

}  // namespace coppice
