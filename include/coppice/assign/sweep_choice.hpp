// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether the next sweep over a tree should go down its nodes or row by row. Going down pays as long as whole nodes are
// given away; where clusters overlap everywhere, or columns are many, every node is opened in vain. The choice follows
// from what earlier sweeps counted, never from the clock, so that it is the same on every machine.

#include <cstddef>
#include <cstdint>

#include "coppice/assign/assign.hpp"

namespace coppice {

class SweepChoice {
 public:
  SweepChoice(std::size_t n_rows, std::size_t n_columns) : n_rows_(n_rows), n_columns_(n_columns) {}

  [[nodiscard]] bool goes_down(std::size_t k) const noexcept;
  void note_down(std::size_t k, const Assignment& sweep) noexcept;
  void note_row_by_row(std::size_t k) noexcept;

  [[nodiscard]] std::size_t n_down() const noexcept { return n_down_; }
  [[nodiscard]] std::size_t n_row_by_row() const noexcept { return n_row_by_row_; }
  // All comparisons of these sweeps, and what they would have been without a tree.
  [[nodiscard]] std::uint64_t distances() const noexcept { return distances_; }
  [[nodiscard]] std::uint64_t full_distances() const noexcept { return full_distances_; }

  // The work of a sweep down the tree, measured in comparisons of a row with a cluster inside a full panel.
  [[nodiscard]] double work_down(const Assignment& sweep) const noexcept;
  [[nodiscard]] double work_row_by_row(std::size_t k) const noexcept;

 private:
  std::size_t n_rows_;
  std::size_t n_columns_;
  std::size_t k_in_vain_ = 0;  // the number of clusters for which going down did not pay; 0: none
  std::size_t n_since_ = 0;    // sweeps since that was found
  std::size_t n_down_ = 0;
  std::size_t n_row_by_row_ = 0;
  std::uint64_t distances_ = 0;
  std::uint64_t full_distances_ = 0;
};

}  // namespace coppice
