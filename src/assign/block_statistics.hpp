// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The statistics of one block of labelled units, cluster by cluster: units are brought into the order of their labels
// first, so that a family's add() sees whole panels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/subset.hpp"
#include "coppice/family/components.hpp"

namespace coppice::internal {

// Rows by themselves, or as members of the components' present clusters (Components::add_members).
enum class AddAs : std::uint8_t { rows, members };

class BlockStatistics {
 public:
  BlockStatistics(std::size_t n_columns, const StopSignal& stop) : stop_(stop), buffer_(n_columns) {}

  // Adds positions first..first + labels.size() - 1 of the subset (a list or all) to arena[label * stats_size ...];
  // those with the label -1 to nothing.
  void add(const Subset& subset, const Components& components, std::size_t first, std::span<const std::int32_t> labels,
           std::span<double> arena, AddAs as = AddAs::rows);

  // Adds neighbouring rows to one cluster: all of them, or those of one label.
  void add_run(const Rows& rows, const Components& components, std::size_t first, std::size_t n_rows, StatsRef into);
  void add_labelled(const Rows& rows, const Components& components, std::size_t first,
                    std::span<const std::int32_t> labels, std::int32_t label, StatsRef into);

 private:
  template <class Add>
  void add_rows(const Rows& rows, std::span<const std::size_t> chosen, const Add& add);
  void add_masked(const Rows& rows, const Components& components, std::size_t first,
                  std::span<const std::int32_t> labels, std::int32_t label, StatsRef into);
  void sort_by_label(const Subset& subset, std::size_t first, std::span<const std::int32_t> labels, std::size_t k);

  // Before a panel of rows is added to statistics.
  void look_at_the_clock(const Components& components) const;

  const StopSignal& stop_;
  BlockBuffer buffer_;
  std::vector<std::size_t> ends_;    // where each cluster's members end in sorted_
  std::vector<std::size_t> sorted_;  // units in the order of their labels
  std::vector<double> weights_;
};

}  // namespace coppice::internal
