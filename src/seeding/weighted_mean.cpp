// SPDX-License-Identifier: BSD-3-Clause
#include "seeding/weighted_mean.hpp"

#include <cstdint>

#include "coppice/runtime/for_each_block.hpp"
#include "seeding/whole_mass.hpp"

namespace coppice::internal {

std::vector<double> weighted_mean(const Execution& execution, const SeedingTable& table) {
  const std::size_t n_columns = table.rows().n_columns();
  std::vector<WholeMass> units;
  for (std::size_t c = 0; c < n_columns; ++c) {
    units.push_back(WholeMass::make(table.total_weight(), table.high()[c] - table.low()[c]));
  }
  struct Sums {
    std::vector<double> point;
    std::vector<std::int64_t> above_low;
  };
  const Sums zero{std::vector<double>(n_columns), std::vector<std::int64_t>(n_columns, 0)};
  std::vector<Sums> of_worker(execution.n_threads(), zero);
  const Blocks blocks{.n_items = table.rows().size()};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    auto& [point, above_low] = of_worker[block.worker];
    for (std::size_t row = block.first; row < block.last; ++row) {
      if (!table.is_present(row)) continue;
      table.copy_point(row, point);
      for (std::size_t c = 0; c < n_columns; ++c) {
        // From the least value of the column on, so that no term is negative and all digits count.
        above_low[c] += units[c](point[c] - table.low()[c], table.rows().weight(row));
      }
    }
  });
  std::vector<double> mean(table.low().begin(), table.low().end());
  for (std::size_t c = 0; c < n_columns; ++c) {
    std::int64_t sum = 0;
    for (const Sums& sums : of_worker) sum += sums.above_low[c];
    mean[c] += static_cast<double>(sum) / units[c].per_value / (table.total_weight() * units[c].per_weight);
  }
  return mean;
}

}  // namespace coppice::internal
