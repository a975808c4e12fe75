// SPDX-License-Identifier: BSD-3-Clause
// Sequential by nature: each row changes the components that the next one meets. O(N K D^2), and one posterior per row
// and component. Orders differ by seed and stream, and the best of several is kept.

#include "structure/incremental_start.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/data/row_draw.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

namespace {

constexpr double least_share = 1e-6;  // of a row; who has less of it need not change

// Rows with weight. Copies of a row come together, whatever their order in the table.
std::vector<std::size_t> in_random_order(const Rows& rows, std::uint64_t seed, std::uint64_t stream) {
  RandomStream random{seed, Purpose::restart, stream};
  const std::uint64_t mask = random.bits();
  // Odd, so that multiplying by it is one to one: equal keys are equal hashes.
  const std::uint64_t factor = random.bits() | 1U;
  struct Entry {
    std::uint64_t key;
    std::size_t row;
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!(rows.weight(row) > 0.0)) continue;
    std::uint64_t key = (unit_free_hash(rows.data(), row) ^ mask) * factor;
    key ^= key >> 32U;
    entries.push_back({key * factor, row});
  }
  std::ranges::stable_sort(entries, {}, &Entry::key);
  std::vector<std::size_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.row);
  return order;
}

}  // namespace

StatsArena incremental_start(const Execution& execution, const Problem& problem, std::size_t k, std::uint64_t seed,
                             std::uint64_t stream) {
  const Rows& rows = problem.units.rows();
  StatsArena stats(k, problem.components.stats_size());
  const std::unique_ptr<Components> clusters = problem.components.clone();
  BlockBuffer buffer(rows.n_columns());
  std::vector<double> densities(k * kernels::panel_stride);
  std::vector<double> scores(k);
  double total = 0.0;
  for (const std::size_t row : in_random_order(rows, seed, stream)) {
    throw_if_stopped(execution.stop);
    clusters->update(stats);
    RowBlock block(rows, std::span(&row, 1), buffer);
    clusters->log_predictive({}, block, densities.data());
    const std::vector<double> log_shares = log_shares_of(problem.partition, stats.weights(), total);
    for (std::size_t c = 0; c < k; ++c) scores[c] = log_shares[c] + densities[c * kernels::panel_stride];
    const double log_sum = kernels::log_sum_exp(scores);
    const double weight = rows.weight(row);
    for (std::size_t c = 0; c < k; ++c) {
      const double share = std::exp(scores[c] - log_sum);
      if (share < least_share) continue;
      const double mass = share * weight;
      problem.components.add(stats[c], block, std::span(&mass, 1));
    }
    total += weight;
  }
  return stats;
}

}  // namespace coppice::internal
