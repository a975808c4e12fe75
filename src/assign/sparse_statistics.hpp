// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a block adds up where there are many more clusters than its rows can belong to: the statistics of those clusters
// alone that it has touched. Accumulators grow (GrowingSum); combined in the same order as whole arenas of statistics,
// they come to the same bits.
//
//   [number of clusters | their numbers, increasing | their statistics, one after the other]

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/family/components.hpp"

namespace coppice::internal {

class SparseStatistics {
 public:
  explicit SparseStatistics(const Components& components) : components_(components) {}

  // Whether blocks of so many units touch few of so many clusters.
  [[nodiscard]] static bool is_worth_it(std::size_t k, std::size_t units_in_block) { return k >= 2 * units_in_block; }

  // The clusters of these labels get statistics of zeros, unless they have some already. The labels are replaced by
  // their places in the accumulator's arena.
  void make_room(std::vector<double>& accumulator, std::span<std::int32_t> labels) const;
  [[nodiscard]] static std::span<double> arena(std::vector<double>& accumulator);

  void merge(std::vector<double>& into, std::span<const double> from) const;

  // All k clusters; those that nobody touched have zeros.
  [[nodiscard]] StatsArena whole(std::span<const double> accumulator, std::size_t k) const;

 private:
  struct View {
    std::span<const double> clusters;
    std::span<const double> stats;
  };
  [[nodiscard]] static View view(std::span<const double> accumulator);
  [[nodiscard]] ConstStatsRef stats_at(const View& view, std::size_t place) const;
  // An accumulator of these clusters with the statistics that a smaller one has.
  [[nodiscard]] std::vector<double> spread(std::span<const double> accumulator, std::span<const double> clusters) const;

  const Components& components_;
};

}  // namespace coppice::internal
