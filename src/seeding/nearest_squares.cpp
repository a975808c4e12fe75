// SPDX-License-Identifier: BSD-3-Clause
#include "seeding/nearest_squares.hpp"

#include <algorithm>
#include <limits>

#include "coppice/kernels/running_minima.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

constexpr double absent = -1.0;  // no distance is lower, so that it stays
constexpr double infinity = std::numeric_limits<double>::infinity();

// Calls work(first row, n rows) for the panels of a block.
template <class Work>
void for_each_panel(std::size_t first, std::size_t last, const Work& work) {
  for (; first < last; first += kernels::panel_rows) work(first, std::min(kernels::panel_rows, last - first));
}

}  // namespace

NearestSquares::NearestSquares(const SeedingTable& table) : distances_(table), values_(table.rows().size(), 1.0) {
  for (std::size_t row = 0; row < values_.size() && table.rows().are_weighted(); ++row) {
    if (!table.is_present(row)) values_[row] = absent;
  }
}

double NearestSquares::lower(const Execution& execution, std::span<const double> point, const Visit& visit) {
  const Blocks blocks{.n_items = values_.size()};
  std::vector<PointDistances::Workspace> work(execution.n_threads(), PointDistances::Workspace(distances_));
  std::vector<double> largest(blocks.count(), 0.0);
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for_each_panel(block.first, block.last, [&](std::size_t first, std::size_t n_rows) {
      const std::span<double> squared = std::span(values_).subspan(first, n_rows);
      // In the same pass as the first point's distances: one less over memory.
      if (!has_point_)
        std::ranges::replace_if(
            squared, [](double value) { return value >= 0.0; }, infinity);
      distances_.of_run(first, n_rows, point, work[block.worker]);
      largest[block.number] =
          kernels::lower_to(squared.data(), work[block.worker].squared.data(), n_rows, largest[block.number]);
      visit(block.worker, first, squared);
    });
  });
  has_point_ = true;
  return largest.empty() ? 0.0 : *std::ranges::max_element(largest);
}

void NearestSquares::show(const Execution& execution, const Visit& visit) const {
  const Blocks blocks{.n_items = values_.size()};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for_each_panel(block.first, block.last, [&](std::size_t first, std::size_t n_rows) {
      visit(block.worker, first, values().subspan(first, n_rows));
    });
  });
}

}  // namespace coppice::internal
