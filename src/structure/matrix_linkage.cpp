// SPDX-License-Identifier: BSD-3-Clause
// Complete and average linkage: distances of a joined cluster follow from those of its parts (Lance and Williams 1967),
// d(k, a u b) = max(d_ka, d_kb), or (N_a d_ka + N_b d_kb) / (N_a + N_b).
#include <algorithm>
#include <limits>
#include <numeric>

#include "structure/distance_matrix.hpp"
#include "structure/linkages.hpp"
#include "structure/neighbour_chain.hpp"

namespace coppice::internal {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Farthest {
  [[nodiscard]] double operator()(double a, double b) const noexcept { return std::max(a, b); }
};

struct Mean {
  double weight_a;
  double weight_b;
  [[nodiscard]] double operator()(double a, double b) const noexcept {
    return (weight_a * a + weight_b * b) / (weight_a + weight_b);
  }
};

// Slots of the matrix are clusters; those that were joined into others are infinitely far from all.
class MatrixClusters final : public ChainClusters {
 public:
  MatrixClusters(const LinkageTask& task, Linkage kind)
      : kind_(kind),
        matrix_(task.execution, task.rows, task.chosen),
        weight_(matrix_.size()),
        leaf_(matrix_.size()),
        slot_(matrix_.size()),
        n_left_(matrix_.size()) {
    std::iota(leaf_.begin(), leaf_.end(), std::uint32_t{0});
    std::iota(slot_.begin(), slot_.end(), std::uint32_t{0});
    for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i] = task.rows.weight(task.chosen[i]);
  }

  NearestCluster nearest(std::uint32_t cluster, std::uint32_t preferred) override {
    const std::size_t slot = slot_[cluster];
    const std::size_t n = matrix_.size();
    // A slot is a row of the triangle and a column of it: the column is strided, which is what large pages are for
    // (distance_matrix.cpp).
    double smallest = infinity;
    std::size_t best = n;
    const auto look_at = [&](std::size_t other, double distance) {
      if (distance < smallest) {
        smallest = distance;
        best = other;
      }
    };
    for (std::size_t other = 0; other < slot; ++other) look_at(other, matrix_.at(other, slot));
    const double* behind = matrix_.behind(slot);
    for (std::size_t other = slot + 1; other < n; ++other) look_at(other, behind[other - slot - 1]);
    if (best == n) refuse_distances();
    if (preferred != none && distance(slot, slot_[preferred]) <= smallest) best = slot_[preferred];
    return {leaf_[best], smallest};
  }

  void join(std::uint32_t a, std::uint32_t b) override {
    const std::size_t into = slot_[a];
    const std::size_t from = slot_[b];
    if (kind_ == Linkage::complete) {
      combine(into, from, Farthest{});
    } else {
      combine(into, from, Mean{weight_[into], weight_[from]});
    }
    weight_[into] += weight_[from];
    leaf_[from] = none;
    --n_left_;
    // A quarter of the slots are gone: what is left moves together. The copying adds up to a constant times one matrix.
    if (n_left_ < matrix_.size() / 4 * 3) forget_joined();
  }

  // All were computed at first.
  [[nodiscard]] std::uint64_t distances() const noexcept override { return slot_.size() * (slot_.size() - 1) / 2; }

 private:
  [[nodiscard]] double distance(std::size_t a, std::size_t b) noexcept {
    return matrix_.at(std::min(a, b), std::max(a, b));
  }

  // into < from: their distances from every other slot become those of the joined cluster, and infinity.
  template <class Rule>
  void combine(std::size_t into, std::size_t from, const Rule& rule) noexcept {
    const auto take = [&](double& to, double& gone) {
      to = rule(to, gone);
      gone = infinity;
    };
    for (std::size_t k = 0; k < into; ++k) take(matrix_.at(k, into), matrix_.at(k, from));
    for (std::size_t k = into + 1; k < from; ++k) take(matrix_.at(into, k), matrix_.at(k, from));
    for (std::size_t k = from + 1; k < matrix_.size(); ++k) take(matrix_.at(into, k), matrix_.at(from, k));
    matrix_.at(into, from) = infinity;
  }

  void forget_joined() {
    std::vector<std::uint32_t> slots;
    slots.reserve(n_left_);
    for (std::uint32_t slot = 0; slot < matrix_.size(); ++slot) {
      if (leaf_[slot] == none) continue;
      const std::size_t to = slots.size();
      leaf_[to] = leaf_[slot];
      slot_[leaf_[to]] = static_cast<std::uint32_t>(to);
      weight_[to] = weight_[slot];
      slots.push_back(slot);
    }
    matrix_.keep(slots);
  }

  Linkage kind_;
  DistanceMatrix matrix_;
  std::vector<double> weight_;
  std::vector<std::uint32_t> leaf_;  // the smallest of every slot
  std::vector<std::uint32_t> slot_;  // of every leaf that is its cluster's smallest
  std::size_t n_left_;
};

}  // namespace

FoundPairs matrix_pairs(const LinkageTask& task, Linkage kind) {
  MatrixClusters clusters(task, kind);
  FoundPairs found;
  found.pairs = chain_merges(task.execution.stop, task.chosen.size(), clusters, task.observer);
  found.distances = clusters.distances();
  return found;
}

}  // namespace coppice::internal
