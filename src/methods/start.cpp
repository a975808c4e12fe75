// SPDX-License-Identifier: BSD-3-Clause
#include "methods/start.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice {

namespace {

std::vector<std::int32_t> as_labels(const Table& init) {
  std::vector<std::int32_t> labels;
  labels.reserve(init.values.size());
  for (std::size_t row = 0; row < init.values.size(); ++row) {
    const double value = init.values[row];
    if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max()) {
      throw OptionError(fmt::format("--init: the label of row {} (counted from 1) is {}, but labels are whole numbers",
                                    row + 1, value));
    }
    labels.push_back(static_cast<std::int32_t>(value));
  }
  return labels;
}

}  // namespace

std::vector<std::int32_t> nearest_centres(const Execution& execution, const Rows& rows,
                                          std::span<const double> centres) {
  FamilyAdapter<Centroid> clusters{Centroid(rows.n_columns())};
  clusters.update(centre_statistics(centres, rows.n_columns()));
  const std::vector<double> offsets(clusters.size(), 0.0);
  const std::vector<std::int32_t> nobody(rows.size(), -1);
  return assign_naive(execution, Part(Units(rows)), clusters, offsets, nobody).labels.by_row();
}

std::vector<std::int32_t> start_labels(const Execution& execution, const Table& init, const Rows& rows) {
  return is_centres(init, rows) ? nearest_centres(execution, rows, start_centres(init, rows)) : as_labels(init);
}

void check_one_start(const std::optional<Table>& init, const KRange& k) {
  if (!init || k.is_one()) return;
  throw OptionError("--init gives one start, but --k a range of numbers; leave out one of them");
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
        fmt::format("--init holds {}, not {} x {}", counted(init.values.size(), "value"), init.n_rows, init.n_columns));
  }
  if (init.n_columns == 1 && init.n_rows == rows.size()) return false;
  if (init.n_columns == rows.n_columns() && init.n_rows > 0) return true;
  throw OptionError(fmt::format("--init is a table of {} x {}; expected a label for every row ({}), or centres with {}",
                                init.n_rows, init.n_columns, counted(rows.size(), "row"),
                                counted(rows.n_columns(), "column")));
}

}  // namespace coppice
