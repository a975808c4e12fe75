// SPDX-License-Identifier: BSD-3-Clause
#include "assign/tree_assigner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace coppice::internal {

Assignment TreeAssigner::sweep(const Execution& execution, const Components& clusters, std::span<const double> offsets,
                               const Labels& present) {
  const std::size_t k = clusters.size();
  const bool goes_down = keeps_to_nodes_ || choice_.goes_down(k);
  Assignment result = goes_down ? assign(execution, Subset(units_), clusters, offsets, present)
                                : assign_row_by_row(execution, units_, clusters, offsets, present);
  // Distances that the tree spared and those that it cost count alike in the choice; time is never asked.
  const SweepWork work{result.distances, result.node_distances, units_.size() * k, units_.size()};
  if (goes_down) {
    choice_.note_down(k, work);
  } else {
    choice_.note_row_by_row(work);
  }
  return result;
}

AssignReport TreeAssigner::report() const {
  const std::string counts = fmt::format(
      "sweeps took {} comparisons with a cluster, {} for every row against every cluster ({:.3g} times as many)",
      choice_.distances(), choice_.full_distances(),
      static_cast<double>(choice_.full_distances()) /
          static_cast<double>(std::max<std::uint64_t>(1, choice_.distances())));
  if (choice_.n_row_by_row() > choice_.n_down()) {
    return {"naive", fmt::format("too many nodes had to be opened, so {} of {} sweeps went row by row; {}",
                                 choice_.n_row_by_row(), choice_.n_row_by_row() + choice_.n_down(), counts)};
  }
  return {"kdtree", keeps_to_nodes_ ? "asked for: " + counts : counts};
}

}  // namespace coppice::internal
