// SPDX-License-Identifier: BSD-3-Clause
#include "assign/sparse_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "coppice/assign/accumulators.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/runtime/in_process_ranks.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_columns = 2;
constexpr std::size_t k = 40;
constexpr std::size_t n_rows = 333;
constexpr Blocks blocks{.n_items = n_rows, .items_per_block = 10};

// Rows with labels that leave most clusters untouched by a block, and some by all. The rows of one cluster weigh
// nothing.
class Example {
 public:
  Example() {
    RandomStream random{3, Purpose::test};
    std::vector<double> weights;
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (std::size_t c = 0; c < n_columns; ++c) values_.push_back(100.0 * random.normal());
      labels_.push_back(static_cast<std::int32_t>(random.below(k - 3)));
      weights.push_back(labels_.back() == 5 ? 0.0 : random.uniform(0.5, 2.0));
    }
    rows_.emplace(Dataset::from_rows(values_, n_rows, n_columns).with_weights(weights), std::vector<double>(n_columns));
  }

  [[nodiscard]] const Components& components() const { return family_; }

  // Adds one row to its place in an arena.
  void add(std::size_t row, std::span<double> arena, std::size_t place) const {
    BlockBuffer buffer(n_columns);
    RowBlock one(*rows_, row, 1, buffer);
    const double weight = rows_->weight(row);
    family_.add(arena.subspan(place * family_.stats_size(), family_.stats_size()), one, Weights(&weight, 1));
  }

  [[nodiscard]] StatsArena dense(const Execution& execution) const {
    const Accumulators<0> accumulators{family_, k};
    const auto add_block = [&](std::span<double> arena, std::size_t block, std::size_t /*worker*/) {
      for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
        add(row, arena, static_cast<std::size_t>(labels_[row]));
      }
    };
    const auto merge = [&](std::span<double> into, std::span<const double> from) { accumulators.merge(into, from); };
    return accumulators.stats(
        ordered_sum(execution, blocks, OrderedSum{.size = accumulators.size(), .add = add_block, .merge = merge}));
  }

  // Of some blocks, whose rows come in groups of three: a cluster may get room twice.
  [[nodiscard]] StatsArena sparse(const Execution& execution, const Blocks& mine, std::size_t first_row) const {
    const SparseStatistics statistics(family_);
    const auto add_block = [&](std::vector<double>& accumulator, std::size_t block, std::size_t /*worker*/) {
      for (std::size_t first = mine.first(block); first < mine.last(block); first += 3) {
        const std::size_t count = std::min<std::size_t>(3, mine.last(block) - first);
        const auto begin = labels_.begin() + static_cast<std::ptrdiff_t>(first_row + first);
        std::vector<std::int32_t> places(begin, begin + static_cast<std::ptrdiff_t>(count));
        statistics.make_room(accumulator, places);
        const std::span<double> arena = SparseStatistics::arena(accumulator);
        EXPECT_LE(arena.size(), mine.items_per_block * family_.stats_size());
        for (std::size_t i = 0; i < count; ++i) add(first_row + first + i, arena, static_cast<std::size_t>(places[i]));
      }
    };
    const auto merge = [&](std::vector<double>& into, std::span<const double> from) { statistics.merge(into, from); };
    return statistics.whole(ordered_sum(execution, mine, GrowingSum{.add = add_block, .merge = merge}), k);
  }

 private:
  FamilyAdapter<Centroid> family_{Centroid(n_columns)};
  std::vector<double> values_;
  std::vector<std::int32_t> labels_;
  std::optional<Rows> rows_;
};

TEST(SparseStatistics, HaveTheBitsOfWholeArenas) {
  const Example example;
  for (const std::size_t n_threads : {1U, 3U}) {
    LocalExecution local(n_threads);
    const StatsArena expected = example.dense(local.get());
    EXPECT_EQ(example.sparse(local.get(), blocks, 0), expected);
    EXPECT_EQ(expected.weight(5), 0.0);
    EXPECT_EQ(expected.weight(k - 1), 0.0);
    EXPECT_GT(expected.weight(0), 0.0);
  }
}

TEST(SparseStatistics, HaveThemOnSeveralRanksToo) {
  const Example example;
  LocalExecution local(1);
  const StatsArena expected = example.dense(local.get());
  const std::vector<std::size_t> rows = {70, 0, 200, 63};
  on_ranks(rows.size(), [&](const Communicator& ranks) {
    std::size_t first = 0;
    for (std::size_t rank = 0; rank < ranks.rank(); ++rank) first += rows[rank];
    LocalExecution mine(1, {}, ranks);
    EXPECT_EQ(example.sparse(mine.get(), {rows[ranks.rank()], blocks.items_per_block}, first), expected);
  });
}

TEST(SparseStatistics, NothingAddedIsZeros) {
  const FamilyAdapter<Centroid> family{Centroid(n_columns)};
  const SparseStatistics statistics(family);
  std::vector<double> nothing;
  statistics.merge(nothing, {});
  EXPECT_EQ(statistics.whole(nothing, 3), StatsArena(3, family.stats_size()));
}

}  // namespace
}  // namespace coppice::internal
