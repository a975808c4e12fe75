// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A start from far above. From afar many small clusters are one flat body that no single split divides with a gain, and
// a start from thirty clusters cuts across them. So the rows are cut into cells of a few rows (cells.hpp), near cells
// are merged by Ward's rule down to one, and of all cuts of that tree the one is taken at which the objective is
// lowest, with the prior fitted to it. That takes less than a sweep over the rows with so many clusters would.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "coppice/infer/me.hpp"
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice::internal {

struct FineStart {
  std::vector<std::int32_t> labels;  // of every row
  std::size_t k = 0;
  double objective = 0.0;
  std::vector<double> values;  // of the prior's numbers
  // Of counts and bits: the same tree cut into more clusters than are likely, for shares of rows and merges to make
  // something of. Where rows of different clusters are near each other, no cell is pure.
  std::vector<std::int32_t> too_many;
};

// What is clustered, and by which family: one whose evidence is cheap.
struct FineGround {
  const Units& units;  // rows
  const AdjustablePrior& prior;
  const PartitionPrior& partition;
  double total_weight = 0.0;
  std::vector<double> variance = {};  // of the columns; empty: counts or bits
  std::optional<std::size_t> k = {};  // the level of the tree with so many clusters, whatever the objective
};

[[nodiscard]] FineStart fine_start(const Execution& execution, const FineGround& ground);

}  // namespace coppice::internal
