// SPDX-License-Identifier: BSD-3-Clause
// A chain is sequential, its costs are not: with independent proposals, distances of all of them from all centres are
// found at once, by all threads, and walking the chain afterwards takes a number per step. O(m K D) for a centre
// instead of a pass over all rows.

#include "seeding/afk_chain.hpp"

#include <algorithm>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

AfkChain::End AfkChain::run(const Execution& execution, std::span<const double> centres, std::size_t length,
                            RandomStream& random) const {
  throw_if_stopped(execution.stop);
  std::vector<std::size_t> rows(length);
  for (std::size_t& row : rows) row = proposal_.draw(random);
  const std::vector<ChainState> states = states_of(execution, rows, centres);
  std::size_t present = 0;
  for (std::size_t proposed = 1; proposed < length; ++proposed) {
    if (random.uniform() < acceptance(states[present], states[proposed])) present = proposed;
  }
  return {rows[present], states[present].squared};
}

// Tasks are 256 rows against 64 centres; a minimum does not mind in which order it is found.
std::vector<ChainState> AfkChain::states_of(const Execution& execution, std::span<const std::size_t> rows,
                                            std::span<const double> centres) const {
  const std::size_t n_columns = table_.rows().n_columns();
  const Blocks panels{.n_items = rows.size(), .items_per_block = kernels::panel_rows};
  const Blocks tiles{.n_items = centres.size() / n_columns, .items_per_block = 64};
  std::vector<std::vector<double>> least(tiles.count(), std::vector<double>(rows.size()));
  std::vector<ChainState> states(rows.size());
  const auto look = [&](std::size_t panel, std::size_t tile, PointDistances::Workspace& work) {
    const std::size_t first = panels.first(panel);
    const std::size_t n_rows = panels.last(panel) - first;
    const std::size_t n_points = tiles.last(tile) - tiles.first(tile);
    distances_.of_rows(rows.subspan(first, n_rows),
                       centres.subspan(tiles.first(tile) * n_columns, n_points * n_columns), work);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const double* squared = work.squared.data() + i;
      // The first centre, which q knows, is the first point of the first tile.
      if (tile == 0) states[first + i].proposal = proposal_.density(squared[0]);
      double nearest = squared[0];
      for (std::size_t p = 1; p < n_points; ++p) nearest = std::min(nearest, squared[p * kernels::panel_rows]);
      least[tile][first + i] = nearest;
    }
  };
  std::vector<PointDistances::Workspace> work(execution.n_threads(), PointDistances::Workspace(distances_, 64));
  for_each_task(execution, {.count = panels.count() * tiles.count()}, [&](std::size_t task, std::size_t worker) {
    look(task / tiles.count(), task % tiles.count(), work[worker]);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    states[i].squared = least[0][i];
    for (const auto& of_tile : least) states[i].squared = std::min(states[i].squared, of_tile[i]);
  }
  return states;
}

}  // namespace coppice::internal
