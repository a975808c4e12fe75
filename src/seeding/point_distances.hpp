// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Squared distances of blocks of rows from a few points.

#include <cstddef>
#include <span>
#include <vector>

#include "seeding/seeding_table.hpp"

namespace coppice::internal {

class PointDistances {
 public:
  explicit PointDistances(const SeedingTable& table) : table_(table) {}

  // Memory for one block; make one per thread.
  struct Workspace {
    explicit Workspace(const PointDistances& distances, std::size_t n_points = 1);
    BlockBuffer buffer;
    std::vector<double> squared;  // of point p and row i of the block at p * kernels::panel_rows + i
  };

  // Of at most 256 rows, a run or any, from points (as SeedingTable::copy_point() gives them, one after the other).
  void of_run(std::size_t first, std::size_t n_rows, std::span<const double> points, Workspace& work) const;
  void of_rows(std::span<const std::size_t> chosen, std::span<const double> points, Workspace& work) const;

 private:
  void of_block(RowBlock block, std::span<const double> points, Workspace& work) const;

  const SeedingTable& table_;
};

}  // namespace coppice::internal
