// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/read.hpp"

#include <fmt/format.h>

#include <utility>

#include "coppice/data/npy.hpp"
#include "coppice/runtime/error.hpp"
#include "data/column_choice.hpp"
#include "data/csv/read_csv.hpp"
#include "data/foreign_format.hpp"
#include "data/mapped_file.hpp"
#include "data/npy/read_npy.hpp"

namespace coppice {

namespace {

std::vector<std::string> names_of(const Dataset& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  return names;
}

std::string number_text(const Dataset& table, std::size_t row, std::size_t column) {
  const double value = table.value(row, column);
  return table.storage() == Storage::float32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

// Gives the columns of a table of numbers their parts. Names keep the numbers that they had in the file.
Dataset apply(const Dataset& table, const ReadOptions& options, const std::string& file) {
  const std::vector<std::string> names = names_of(table);
  const ColumnChoice choice = choose_columns(names, options);
  if (choice.data.empty()) return {};
  std::vector<std::string> chosen;
  for (const std::size_t column : choice.data) chosen.push_back(names[column]);
  Dataset result = table.select_columns(chosen);
  if (choice.id) {
    std::vector<std::string> ids;
    for (std::size_t row = 0; row < table.n_rows(); ++row) ids.push_back(number_text(table, row, *choice.id));
    result = result.with_ids(std::move(ids));
  }
  if (!choice.weights) return result;
  std::vector<double> weights;
  for (std::size_t row = 0; row < table.n_rows(); ++row) weights.push_back(table.value(row, *choice.weights));
  try {
    return result.with_weights(std::move(weights));
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", file, error.what()));
  }
}

Dataset with_weights_of_file(const Dataset& table, const std::string& path, const std::string& name) {
  const Dataset file = read(path);
  if (file.n_columns() != 1 || !file.categories().empty()) {
    throw DataError(
        fmt::format("{}: a file of weights has one column of numbers, but this one has {} of numbers and {} "
                    "of words",
                    path, file.n_columns(), file.categories().size()));
  }
  if (file.n_rows() != table.n_rows()) {
    throw DataError(fmt::format("{}: {} weights, but {} has {} rows; expected one weight per row", path, file.n_rows(),
                                name, table.n_rows()));
  }
  std::vector<double> weights;
  for (std::size_t row = 0; row < file.n_rows(); ++row) weights.push_back(file.value(row, 0));
  try {
    return table.with_weights(std::move(weights));
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  const Content content = load(path);
  refuse_foreign_format(content);
  Dataset table = npy::looks_like_npy(content.bytes) ? apply(npy::read(content), options, content.name)
                                                     : csv::read(content, csv::find_layout(content), options);
  if (table.n_columns() == 0 && table.categories().empty()) {
    throw DataError(
        fmt::format("{}: no column is left besides row names and weights; expected at least one column of "
                    "data",
                    content.name));
  }
  // Weights that are not a column are a file: choose_columns has made sure of that.
  const bool are_in_a_file = options.weights && table.weights().empty();
  return are_in_a_file ? with_weights_of_file(table, *options.weights, content.name) : table;
}

}  // namespace coppice
