// SPDX-License-Identifier: BSD-3-Clause
#include "table_files.hpp"

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

Table to_table(const Dataset& data) {
  Table table{data.n_rows(), data.n_columns(), {}};
  table.values.reserve(table.n_rows * table.n_columns);
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    for (std::size_t column = 0; column < table.n_columns; ++column) table.values.push_back(data.value(row, column));
  }
  return table;
}

// A labels file as this program writes it (row,label,probability) stands for its labels.
Table labels_table(const std::string& path, const NamedRows& rows) {
  LabelColumn found = read_label_column(path, rows.id_column);
  if (found.labels.size() == rows.n_rows) match_labels(found, rows);  // else the method says what it expects
  return {found.labels.size(), 1, {found.labels.begin(), found.labels.end()}};
}

bool is_labels_file(const Dataset& data) {
  for (const Column& column : data.columns()) {
    if (column.name == "label") return true;
  }
  return !data.categories().empty();
}

}  // namespace

void TableFiles::read(const NamedRows& rows) {
  for (const Wanted& wanted : wanted_) {
    const std::string path = labels_file(wanted.path);
    const Dataset data = coppice::read(path);
    wanted.take(is_labels_file(data) ? labels_table(path, rows) : to_table(data));
  }
  for (const WantedModel& wanted : models_) wanted.take(load_model(wanted.path));
}

}  // namespace coppice::cli
