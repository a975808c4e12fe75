// SPDX-License-Identifier: BSD-3-Clause
#include "methods/start.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "coppice/runtime/error.hpp"

namespace coppice {

namespace {

std::vector<std::int32_t> as_labels(const Table& init) {
  std::vector<std::int32_t> labels;
  labels.reserve(init.values.size());
  for (std::size_t row = 0; row < init.values.size(); ++row) {
    const double value = init.values[row];
    if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max()) {
      throw OptionError(fmt::format("--init: the label of row {} is {}, but labels are whole numbers", row, value));
    }
    labels.push_back(static_cast<std::int32_t>(value));
  }
  return labels;
}

std::vector<std::int32_t> nearest_centres(const Table& centres, const Dataset& data) {
  std::vector<std::int32_t> labels(data.n_rows());
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t centre = 0; centre < centres.n_rows; ++centre) {
      double squared_distance = 0.0;
      for (std::size_t c = 0; c < centres.n_columns; ++c) {
        const double t = data.value(row, c) - centres.values[centre * centres.n_columns + c];
        squared_distance += t * t;
      }
      if (squared_distance < best) {
        best = squared_distance;
        labels[row] = static_cast<std::int32_t>(centre);
      }
    }
  }
  return labels;
}

}  // namespace

std::vector<std::int32_t> start_labels(const Table& init, const Rows& rows) {
  return is_centres(init, rows) ? nearest_centres(init, rows.data()) : as_labels(init);
}

std::vector<double> start_centres(const Table& init, const Rows& rows) {
  std::vector<double> centres = init.values;
  for (std::size_t i = 0; i < centres.size(); ++i) centres[i] -= rows.origin()[i % init.n_columns];
  return centres;
}

SeedingRule seeding_rule(std::string_view name) {
  if (name == "afk-mc2") return SeedingRule::afk_mc2;
  if (name == "uniform") return SeedingRule::uniform;
  if (name == "farthest") return SeedingRule::farthest;
  return SeedingRule::kmeanspp;
}

bool is_centres(const Table& init, const Rows& rows) {
  if (init.values.size() != init.n_rows * init.n_columns) {
    throw OptionError(
        fmt::format("--init holds {} values, not {} x {}", init.values.size(), init.n_rows, init.n_columns));
  }
  if (init.n_columns == 1 && init.n_rows == rows.size()) return false;
  if (init.n_columns == rows.n_columns() && init.n_rows > 0) return true;
  throw OptionError(
      fmt::format("--init is a table of {} x {}; expected a label for each of the {} rows, or centres with {} columns",
                  init.n_rows, init.n_columns, rows.size(), rows.n_columns()));
}

}  // namespace coppice
