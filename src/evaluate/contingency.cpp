// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/contingency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "coppice/evaluate/groups.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::evaluate {
using namespace internal;

namespace {

// One cluster at a time: counts of its classes in a table that only the classes met have to clear again.
std::vector<Contingency::Cell> count_cells(const Groups& clusters, const Groups& truth) {
  const std::vector<std::uint32_t> rows = rows_by_group(clusters);
  std::vector<Contingency::Cell> cells;
  std::vector<std::size_t> counts(truth.k(), 0);
  std::vector<std::uint32_t> met;
  auto row = rows.begin();
  for (std::uint32_t cluster = 0; cluster < clusters.k(); ++cluster) {
    met.clear();
    for (std::size_t left = clusters.sizes[cluster]; left > 0; --left) {
      const std::uint32_t group = truth.of_row[*row++];
      // O(N) however many clusters and classes there are: no table of K x K'.
      if (counts[group]++ == 0) met.push_back(group);
    }
    std::ranges::sort(met);
    for (const std::uint32_t group : met) cells.push_back({cluster, group, std::exchange(counts[group], 0)});
  }
  return cells;
}

}  // namespace

Contingency contingency(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  if (labels.size() != truth.size()) {
    throw DataError(fmt::format("{} cannot be compared with {}; both need one per row", counted(labels.size(), "label"),
                                counted(truth.size(), "true label")));
  }
  Groups clusters = group(labels);
  Groups classes = group(truth);
  std::vector<Contingency::Cell> cells = count_cells(clusters, classes);
  return {.n_rows = labels.size(),
          .cluster_labels = std::move(clusters.labels),
          .truth_labels = std::move(classes.labels),
          .cluster_sizes = std::move(clusters.sizes),
          .truth_sizes = std::move(classes.sizes),
          .cells = std::move(cells)};
}

}  // namespace coppice::evaluate
