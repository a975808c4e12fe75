// SPDX-License-Identifier: BSD-3-Clause
// Ward's linkage on means: joining clusters of weights v, w whose means are d apart adds d^2 / (1/v + 1/w) to the
// summed squares, so a cluster is its mean and one over its weight. SciPy's height is the square root of twice that.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/kernels/closest_row.hpp"
#include "structure/linkages.hpp"
#include "structure/neighbour_chain.hpp"
#include "structure/point_panels.hpp"

namespace coppice::internal {

namespace {

constexpr double least_weight = 1e-300;  // below it, one over the weight would not be finite

class WardClusters final : public ChainClusters {
 public:
  explicit WardClusters(const LinkageTask& task)
      : means_(task.rows, task.chosen),
        scan_(task.execution),
        weight_(means_.n_slots()),
        scale_(means_.padded_slots(), 1.0),
        growth_(means_.padded_slots()),
        leaf_(means_.n_slots()),
        slot_(means_.n_slots()),
        point_(means_.n_columns()),
        other_(means_.n_columns()),
        n_left_(means_.n_slots()) {
    std::iota(leaf_.begin(), leaf_.end(), std::uint32_t{0});
    std::iota(slot_.begin(), slot_.end(), std::uint32_t{0});
    for (std::size_t slot = 0; slot < weight_.size(); ++slot) set_weight(slot, task.rows.weight(task.chosen[slot]));
  }

  NearestCluster nearest(std::uint32_t cluster, std::uint32_t preferred) override {
    const std::size_t slot = slot_[cluster];
    means_.copy_point(slot, point_);
    // Itself at distance 0 would be its nearest.
    means_.hide(slot);
    std::size_t best = scan_.first_smallest(means_, growth_.data(), [&](std::size_t i) {
      const std::size_t first = i * kernels::panel_rows;
      return kernels::scaled_distances(means_.panel(i), scale_.data() + first, point_.data(), scale_[slot],
                                       growth_.data() + first);
    });
    means_.set_point(slot, point_);
    if (best == PanelScan::nothing) refuse_distances();
    if (preferred != none && growth_[slot_[preferred]] <= growth_[best]) best = slot_[preferred];
    distances_ += n_left_ - 1;
    return {leaf_[best], std::sqrt(2.0 * growth_[best])};
  }

  void join(std::uint32_t a, std::uint32_t b) override {
    const std::size_t into = slot_[a];
    const std::size_t from = slot_[b];
    const double weight = weight_[into] + weight_[from];
    const double share = weight_[from] / weight;
    means_.copy_point(into, point_);
    means_.copy_point(from, other_);
    // No digits are lost where means lie far from zero.
    for (std::size_t c = 0; c < point_.size(); ++c) point_[c] += share * (other_[c] - point_[c]);
    means_.set_point(into, point_);
    set_weight(into, weight);
    means_.hide(from);
    leaf_[from] = none;
    --n_left_;
    if (n_left_ < means_.n_slots() / 4 * 3) forget_joined();
  }

  [[nodiscard]] std::uint64_t distances() const noexcept override { return distances_; }

 private:
  void set_weight(std::size_t slot, double weight) noexcept {
    weight_[slot] = weight;
    scale_[slot] = 1.0 / std::max(weight, least_weight);
  }

  void forget_joined() {
    std::vector<std::uint32_t> slots;
    slots.reserve(n_left_);
    for (std::uint32_t slot = 0; slot < means_.n_slots(); ++slot) {
      if (leaf_[slot] == none) continue;
      const std::size_t to = slots.size();
      leaf_[to] = leaf_[slot];
      slot_[leaf_[to]] = static_cast<std::uint32_t>(to);
      weight_[to] = weight_[slot];
      scale_[to] = scale_[slot];
      slots.push_back(slot);
    }
    means_.keep(slots);
  }

  PointPanels means_;
  PanelScan scan_;
  std::vector<double> weight_;
  kernels::AlignedVector<double> scale_;   // one over the weight
  kernels::AlignedVector<double> growth_;  // of the squares, if a slot were joined with the one asked for last
  std::vector<std::uint32_t> leaf_;        // the smallest of every slot
  std::vector<std::uint32_t> slot_;        // of every leaf that is its cluster's smallest
  std::vector<double> point_;
  std::vector<double> other_;
  std::size_t n_left_;
  std::uint64_t distances_ = 0;
};

}  // namespace

FoundPairs ward_pairs(const LinkageTask& task) {
  WardClusters clusters(task);
  FoundPairs found;
  found.pairs = chain_merges(task.execution.stop, task.chosen.size(), clusters, task.observer);
  found.distances = clusters.distances();
  return found;
}

}  // namespace coppice::internal
