// SPDX-License-Identifier: BSD-3-Clause
// Linkages over rows of positive weight; weightless rows are attached to their nearest row at height 0 afterwards,
// where they change nothing. Single and ward keep O(N) numbers, complete and average a matrix; all take O(N^2 D) time.

#include "coppice/structure/linkage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "coppice/kernels/squared_distances.hpp"
#include "coppice/runtime/error.hpp"
#include "structure/linkages.hpp"
#include "structure/point_panels.hpp"

namespace coppice {
using namespace internal;

namespace {

// Rows by whether they have weight.
struct WeighedRows {
  std::vector<std::uint32_t> with;
  std::vector<std::uint32_t> without;
};

WeighedRows by_weight(const Rows& rows) {
  if (rows.size() > std::numeric_limits<std::int32_t>::max()) {
    throw LimitError(fmt::format("a tree over {} rows; at most {} are possible", rows.size(), INT32_MAX));
  }
  WeighedRows found;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    (rows.weight(row) > 0.0 ? found.with : found.without).push_back(row);
  }
  return found;
}

FoundPairs find_pairs(const LinkageTask& task, Linkage kind) {
  if (task.chosen.size() < 2) return {};
  switch (kind) {
    case Linkage::single:
      return single_pairs(task);
    case Linkage::ward:
      return ward_pairs(task);
    case Linkage::complete:
    case Linkage::average:
      break;
  }
  return matrix_pairs(task, kind);
}

// The closest of the chosen rows to a row; of several the first.
class ClosestChosen {
 public:
  ClosestChosen(const LinkageTask& task)
      : rows_(task.rows),
        chosen_(task.chosen),
        points_(task.rows, task.chosen),
        scan_(task.execution),
        squared_(points_.padded_slots()),
        point_(points_.n_columns()) {}

  [[nodiscard]] std::uint32_t to(std::uint32_t row) {
    rows_.copy_row(row, point_);
    const std::size_t slot = scan_.first_smallest(points_, squared_.data(), [&](std::size_t i) {
      double* squared = squared_.data() + i * kernels::panel_rows;
      const kernels::PanelView panel = points_.panel(i);
      kernels::squared_distances(panel, point_.data(), 1, squared);
      return *std::min_element(squared, squared + panel.n_rows);
    });
    return chosen_[slot == PanelScan::nothing ? 0 : slot];
  }

 private:
  const Rows& rows_;
  std::span<const std::uint32_t> chosen_;
  PointPanels points_;
  PanelScan scan_;
  std::vector<double> squared_;
  std::vector<double> point_;
};

// As if the weight were vanishingly small: such a row changes no distance, and ends where it costs nothing.
std::vector<JoinedPair> attached(const LinkageTask& task, std::span<const std::uint32_t> weightless) {
  std::vector<JoinedPair> pairs;
  if (weightless.empty()) return pairs;
  ClosestChosen closest(task);
  for (const std::uint32_t row : weightless) {
    throw_if_stopped(task.execution.stop);
    pairs.push_back({closest.to(row), row, before_all});
  }
  return pairs;
}

// The clusters that pairs of chosen rows make of them.
std::vector<std::int32_t> labels_so_far(std::size_t n_rows, std::span<const std::uint32_t> chosen,
                                        std::span<const JoinedPair> pairs) {
  std::vector<std::uint32_t> leader(chosen.size());
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::uint32_t leaf) {
    // Path halving.
    while (leader[leaf] != leaf) leaf = leader[leaf] = leader[leader[leaf]];
    return leaf;
  };
  for (const JoinedPair& pair : pairs) {
    const std::uint32_t a = find(pair.a);
    const std::uint32_t b = find(pair.b);
    leader[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::int32_t> number(chosen.size(), -1);
  std::int32_t n_found = 0;
  std::vector<std::int32_t> labels(n_rows, 0);
  for (std::uint32_t leaf = 0; leaf < chosen.size(); ++leaf) {
    std::int32_t& of_leader = number[find(leaf)];
    if (of_leader < 0) of_leader = n_found++;
    labels[chosen[leaf]] = of_leader;
  }
  return labels;
}

}  // namespace

LinkageTree linkage(const Execution& execution, const Rows& rows, Linkage kind, const MergeObserver& observer) {
  const WeighedRows weighed = by_weight(rows);
  PairObserver tell;
  if (observer) {
    tell = [&](std::span<const JoinedPair> pairs) {
      observer({pairs.size(), weighed.with.size() - pairs.size(),
                [&] { return labels_so_far(rows.size(), weighed.with, pairs); }});
    };
  }
  const LinkageTask task{execution, rows, weighed.with, tell};
  const FoundPairs found = find_pairs(task, kind);
  std::vector<JoinedPair> pairs = attached(task, weighed.without);
  for (const JoinedPair& pair : found.pairs) {
    pairs.push_back({weighed.with[pair.a], weighed.with[pair.b], pair.height});
  }
  return {to_tree(rows.size(), pairs), found.distances};
}

}  // namespace coppice
