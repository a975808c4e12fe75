// SPDX-License-Identifier: BSD-3-Clause
// d_small of [L] Eq. 21: the mean of the three smallest nearest-neighbour distances among a tenth of the rows, which
// are drawn by content so that shuffled rows have the same. Distances of zero are left out: copies of a row tell
// nothing of a scale.

#include "coppice/structure/smallest_distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/tree/nearest_row.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t n_smallest = 3;
constexpr std::size_t most_queries = 10000;

// Squared distances, the smallest few, in order.
class Smallest {
 public:
  // What a distance must be below to get in.
  [[nodiscard]] double limit() const {
    return values_.size() < n_smallest ? std::numeric_limits<double>::infinity() : values_.back();
  }
  void take(double value) {
    if (value >= limit()) return;
    values_.insert(std::ranges::upper_bound(values_, value), value);
    if (values_.size() > n_smallest) values_.pop_back();
  }
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }

 private:
  std::vector<double> values_;
};

}  // namespace

std::vector<std::size_t> neighbour_queries(const Execution& execution, const Dataset& data) {
  std::vector<std::size_t> queries = content_sample(execution, data, most_queries);
  std::ranges::sort(queries, [&](std::size_t a, std::size_t b) { return unit_free_less(data, a, b); });
  const auto copies = std::unique(queries.begin(), queries.end(), [&](std::size_t a, std::size_t b) {
    return !unit_free_less(data, a, b) && !unit_free_less(data, b, a);
  });
  queries.erase(copies, queries.end());
  std::size_t n_lowest = 0;  // in the lowest tenth
  while (n_lowest < queries.size() &&
         unit_free_hash(data, queries[n_lowest]) < std::numeric_limits<std::uint64_t>::max() / 10)
    ++n_lowest;
  queries.resize(std::min(queries.size(), std::max(n_lowest, n_smallest)));
  return queries;
}

double mean_smallest_distance(const Execution& execution, const KdTree& tree, std::span<const std::size_t> queries) {
  const Blocks blocks{.n_items = queries.size(), .items_per_block = 256};
  std::vector<Smallest> of_block(blocks.count());
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    std::vector<double> point(tree.rows().n_columns());
    for (std::size_t i = block.first; i < block.last; ++i) {
      throw_if_stopped(execution.stop);
      tree.rows().copy_row(queries[i], point);
      // No need to look farther than the worst of the best so far.
      of_block[block.number].take(nearest_different_row(tree, point, of_block[block.number].limit()));
    }
  });
  Smallest smallest;
  // The smallest of all are among the smallest of each block, so that blocks do not show.
  for (const Smallest& some : of_block) {
    for (const double squared : some.values()) smallest.take(squared);
  }
  double sum = 0.0;
  for (const double squared : smallest.values()) sum += std::sqrt(squared);
  return smallest.values().empty() ? 0.0 : sum / static_cast<double>(smallest.values().size());
}

}  // namespace coppice::internal
