// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether the next sweep over a tree should go down its nodes or row by row. Going down pays as long as whole nodes are
// given away; where clusters overlap everywhere, or columns are many, every node is opened in vain. The choice follows
// from what earlier sweeps counted, never from the clock, so that it is the same on every machine.

#include <cstddef>
#include <cstdint>

namespace coppice::internal {

// What sweeps over a tree counted.
struct SweepWork {
  std::uint64_t distances = 0;       // all comparisons with a cluster
  std::uint64_t node_distances = 0;  // those of nodes
  std::uint64_t full_distances = 0;  // what they would have been without a tree: rows times clusters
  std::uint64_t rows = 0;            // rows of each sweep, summed up
};

class SweepChoice {
 public:
  explicit SweepChoice(std::size_t n_columns) : n_columns_(n_columns) {}

  // `kind` tells apart what may turn out differently: the number of clusters, say.
  [[nodiscard]] bool goes_down(std::size_t kind) const noexcept;
  void note_down(std::size_t kind, const SweepWork& work) noexcept;
  void note_row_by_row(const SweepWork& work) noexcept;

  [[nodiscard]] std::size_t n_down() const noexcept { return n_down_; }
  [[nodiscard]] std::size_t n_row_by_row() const noexcept { return n_row_by_row_; }
  // All comparisons so far, and what they would have been without a tree.
  [[nodiscard]] std::uint64_t distances() const noexcept { return distances_; }
  [[nodiscard]] std::uint64_t full_distances() const noexcept { return full_distances_; }

  // The work of going down and of going row by row, measured in comparisons of a row with a cluster in a full panel.
  [[nodiscard]] double work_down(const SweepWork& work) const noexcept;
  [[nodiscard]] static double work_row_by_row(const SweepWork& work) noexcept;

 private:
  void note(const SweepWork& work) noexcept;

  std::size_t n_columns_;
  bool was_in_vain_ = false;  // going down, the last time it was tried
  std::size_t kind_in_vain_ = 0;
  std::size_t n_since_ = 0;  // choices since then
  std::size_t n_down_ = 0;
  std::size_t n_row_by_row_ = 0;
  std::uint64_t distances_ = 0;
  std::uint64_t full_distances_ = 0;
};

}  // namespace coppice::internal
