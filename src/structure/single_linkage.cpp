// SPDX-License-Identifier: BSD-3-Clause
// Prim's algorithm: the tree grows by the row that lies closest to it. Two rows are in one cluster at height h exactly
// if no step between them was longer than h, so the steps from row to row in the order of growth stand for the edges of
// the minimum spanning tree.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/kernels/closest_row.hpp"
#include "structure/linkages.hpp"
#include "structure/neighbour_chain.hpp"
#include "structure/point_panels.hpp"

namespace coppice::internal {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The rows that the tree has not reached, with their squared distance from it.
class Outside {
 public:
  explicit Outside(const LinkageTask& task)
      : points_(task.rows, task.chosen),
        scan_(task.execution),
        least_(points_.padded_slots(), infinity),
        leaf_(points_.n_slots()),
        point_(points_.n_columns()),
        n_left_(points_.n_slots()) {
    std::iota(leaf_.begin(), leaf_.end(), std::uint32_t{0});
    take(0);
  }

  [[nodiscard]] std::size_t n_left() const noexcept { return n_left_; }

  // The row closest to the tree joins it.
  JoinedPair grow() {
    // Hidden slots cost as much to look at as others: they go when they are a quarter.
    if (n_left_ < points_.n_slots() / 4 * 3) forget_reached();
    const std::size_t next = scan_.first_smallest(points_, least_.data(), [&](std::size_t i) {
      return kernels::lower_to_distances(points_.panel(i), point_.data(), least_.data() + i * kernels::panel_rows);
    });
    if (next == PanelScan::nothing) refuse_distances();
    const JoinedPair step{last_, leaf_[next], std::sqrt(least_[next])};
    take(next);
    return step;
  }

 private:
  void take(std::size_t slot) {
    last_ = leaf_[slot];
    points_.copy_point(slot, point_);
    points_.hide(slot);
    least_[slot] = infinity;
    leaf_[slot] = reached;
    --n_left_;
  }

  void forget_reached() {
    std::vector<std::uint32_t> slots;
    slots.reserve(n_left_);
    for (std::uint32_t slot = 0; slot < points_.n_slots(); ++slot) {
      if (leaf_[slot] == reached) continue;
      leaf_[slots.size()] = leaf_[slot];
      least_[slots.size()] = least_[slot];
      slots.push_back(slot);
    }
    points_.keep(slots);
    std::fill(least_.begin() + static_cast<std::ptrdiff_t>(slots.size()), least_.end(), infinity);
  }

  static constexpr std::uint32_t reached = UINT32_MAX;

  PointPanels points_;
  PanelScan scan_;
  kernels::AlignedVector<double> least_;
  std::vector<std::uint32_t> leaf_;  // of every slot
  std::vector<double> point_;        // the row that joined last, and its leaf
  std::uint32_t last_ = 0;
  std::size_t n_left_;
};

}  // namespace

FoundPairs single_pairs(const LinkageTask& task) {
  FoundPairs found;
  Outside outside(task);
  while (outside.n_left() > 0) {
    throw_if_stopped(task.execution.stop);
    found.distances += outside.n_left();
    found.pairs.push_back(outside.grow());
    if (task.observer) task.observer(found.pairs);
  }
  // Equal heights in the order of growth.
  std::ranges::stable_sort(found.pairs, {}, &JoinedPair::height);
  return found;
}

}  // namespace coppice::internal
