// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/read.hpp"

#include <fmt/format.h>

#include <utility>

#include "coppice/data/decompress.hpp"
#include "coppice/data/format.hpp"
#include "coppice/data/input.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "data/choose_parts.hpp"
#include "data/csv/header_doubt.hpp"
#include "data/csv/read_csv.hpp"
#include "data/foreign_format.hpp"
#include "data/naming.hpp"
#include "data/yes_no.hpp"

namespace coppice {
using namespace internal;

namespace {

Dataset with_weights_of_file(const Dataset& table, const std::string& name, const ReadOptions& options) {
  const std::string& path = *options.weights;
  const Dataset file = read(path, {.max_rows = options.max_rows});
  if (file.n_columns() != 1 || !file.categories().empty()) {
    throw DataError(
        fmt::format("{}: a file of weights has one column of numbers, but this one has {} of numbers and {} "
                    "of words",
                    path, file.n_columns(), file.categories().size()));
  }
  if (file.n_rows() != table.n_rows()) {
    throw DataError(fmt::format("{}: {}, but {} has {}; expected one weight per row", path,
                                counted(file.n_rows(), "weight"), name, counted(table.n_rows(), "row")));
  }
  std::vector<double> weights;
  for (std::size_t row = 0; row < file.n_rows(); ++row) weights.push_back(file.value(row, 0));
  return naming(path, [&] { return table.with_weights(std::move(weights)); });
}

Dataset read_table(const Input& input, const ReadOptions& options) {
  const Format* format = find_format(input, options);
  if (format == nullptr) {
    refuse_foreign_format(input.content);
    const csv::Layout layout = csv::find_layout(input.content, options.header);
    if (options.note && options.header == HeaderRule::automatic) {
      const Text doubt = csv::header_doubt(layout, input.content.name);
      if (!doubt.empty()) options.note(doubt);
    }
    return with_yes_no_as_binary(csv::read(input.content, layout, options), layout.names, options);
  }
  if (options.header != HeaderRule::automatic) {
    throw OptionError(
        format_text("{}: {header} is for text tables, but this is {}; leave it out", input.content.name, format->name));
  }
  StoredTable table = format->read(input, options);
  if (options.max_rows) table.data = table.data.first_rows(*options.max_rows);
  return with_yes_no_as_binary(choose_parts(table, options, input.content.name), table.names(), options);
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  if (options.max_rows == std::size_t{0}) throw OptionError("at most 0 rows are to be read; choose 1 or more");
  const Input input = decompressed(open_input(path), options);
  const std::string& name = input.content.name;
  Dataset table = read_table(input, options);
  if (table.n_columns() == 0 && table.categories().empty()) {
    throw DataError(
        fmt::format("{}: no column is left besides row names and weights; expected at least one column of "
                    "data",
                    name));
  }
  // Weights that are not a column are a file: choose_columns has made sure of that.
  const bool are_in_a_file = options.weights && table.weights().empty();
  return are_in_a_file ? with_weights_of_file(table, name, options) : table;
}

}  // namespace coppice
