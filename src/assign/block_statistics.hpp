// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The statistics of one block of labelled units, cluster by cluster: units are brought into the order of their labels
// first, so that a family's add() sees whole panels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/naive.hpp"

namespace coppice {

class BlockStatistics {
 public:
  explicit BlockStatistics(std::size_t n_columns) : buffer_(n_columns) {}

  // Adds positions first..first + labels.size() - 1 of the subset to arena[label * stats_size ...].
  void add(const UnitSubset& subset, const Components& components, std::size_t first,
           std::span<const std::int32_t> labels, std::span<double> arena);

 private:
  void sort_by_label(const UnitSubset& subset, std::size_t first, std::span<const std::int32_t> labels, std::size_t k);
  void add_cluster(const Units& units, const Components& components, std::span<const std::size_t> members,
                   StatsRef into);

  BlockBuffer buffer_;
  std::vector<std::size_t> ends_;    // where each cluster's members end in sorted_
  std::vector<std::size_t> sorted_;  // units in the order of their labels
  std::vector<double> weights_;
};

}  // namespace coppice
