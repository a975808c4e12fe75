// SPDX-License-Identifier: BSD-3-Clause
#include "methods/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

std::vector<std::int32_t> as_labels(const Table& init) {
  std::vector<std::int32_t> labels;
  labels.reserve(init.values.size());
  for (std::size_t row = 0; row < init.values.size(); ++row) {
    const double value = init.values[row];
    if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max()) {
      throw OptionError(format_text("{init}: the label of row {} (counted from 1) is {}, but labels are whole numbers",
                                    row + 1, value));
    }
    labels.push_back(static_cast<std::int32_t>(value));
  }
  return labels;
}

// Single points. With factors they are Gaussian clusters of the same variance: one over the squared factor.
std::unique_ptr<Components> point_clusters(const ScaledRows& scaled, std::span<const double> centres) {
  const std::size_t d = scaled.rows.n_columns();
  if (scaled.factors.empty()) {
    auto clusters = std::make_unique<FamilyAdapter<Centroid>>(Centroid(d));
    clusters->update(centre_statistics(centres, d));
    return clusters;
  }
  std::vector<double> variances;
  for (const double factor : scaled.factors) variances.push_back(1.0 / (factor * factor));
  auto clusters = std::make_unique<FamilyAdapter<PointDiagonal>>(PointDiagonal(std::move(variances)));
  StatsArena stats(centres.size() / d, PointDiagonal::stats_size(d));
  for (std::size_t c = 0; c < stats.size(); ++c) {
    stats[c].front() = 1.0;
    std::ranges::copy(centres.subspan(c * d, d), stats[c].begin() + 1);
  }
  clusters->update(stats);
  return clusters;
}

}  // namespace

std::vector<std::int32_t> nearest_centres(const Execution& execution, const ScaledRows& scaled,
                                          std::span<const double> centres) {
  const std::unique_ptr<Components> clusters = point_clusters(scaled, centres);
  const std::vector<double> offsets(clusters->size(), 0.0);
  const std::vector<std::int32_t> nobody(scaled.rows.size(), -1);
  return assign_naive(execution, Subset(Units(scaled.rows)), *clusters, offsets, nobody).labels.by_row();
}

std::vector<std::int32_t> start_labels(const Execution& execution, const Table& init, const Rows& rows) {
  return is_centres(init, rows) ? nearest_centres(execution, rows, start_centres(init, rows)) : as_labels(init);
}

void check_one_start(const std::optional<Table>& init, const KRange& k, std::uint64_t restarts) {
  if (!init) return;
  if (!k.is_one()) {
    throw OptionError(format_text("{init} gives one start, but {k} a range of numbers; leave out one of them"));
  }
  check_restarts(init, restarts);
}

void check_restarts(const std::optional<Table>& init, std::uint64_t restarts, std::uint64_t usual) {
  if (!init || restarts == 1 || restarts == usual) return;
  throw OptionError(format_text("{init} gives one start, but {restarts} is {}; leave out one of them", restarts));
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
        format_text("{init} holds {}, not {} x {}", counted(init.values.size(), "value"), init.n_rows, init.n_columns));
  }
  if (init.n_columns == 1 && init.n_rows == rows.size()) return false;
  if (init.n_columns == rows.n_columns() && init.n_rows > 0) return true;
  throw OptionError(format_text("{init} is a table of {} x {}; expected a label for every row ({}), or centres with {}",
                                init.n_rows, init.n_columns, counted(rows.size(), "row"),
                                counted(rows.n_columns(), "column")));
}

}  // namespace coppice::internal
