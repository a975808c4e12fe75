// SPDX-License-Identifier: BSD-3-Clause
// Sums over the rows of several ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/ordered_sum.hpp"
#include "coppice/runtime/together.hpp"
#include "unit/runtime/in_process_ranks.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t rows_in_block = 10;

// Rows of each rank: whole blocks but for the very last; some ranks have none.
using RowsOfRanks = std::vector<std::size_t>;

const std::vector<RowsOfRanks>& divisions() {
  static const std::vector<RowsOfRanks> all = {
      {64},                                // one rank
      {30, 34},     {64, 0},     {0, 64},  // two
      {10, 20, 34}, {30, 0, 34}, {60, 4, 0}, {0, 0, 64}, {10, 10, 20, 20, 4}, {0, 50, 0, 14, 0}, {20, 0, 0, 0, 44},
  };
  return all;
}

std::size_t rows_before(const RowsOfRanks& rows, std::size_t rank) {
  return std::accumulate(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(rank), std::size_t{0});
}

// Summands of different size and both signs, with all their digits: adding them in another order gives other bits.
double summand(std::size_t row) {
  return std::ldexp(std::sin(static_cast<double>(row + 1)), static_cast<int>((row * 37) % 20));
}

OrderedSum row_sum(const Blocks& blocks, std::size_t first_row) {
  return {.size = 2,
          .add =
              [=](std::span<double> total, std::size_t block, std::size_t) {
                for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
                  total[0] += summand(first_row + row);
                  total[1] += 1.0;
                }
              },
          .merge =
              [](std::span<double> into, std::span<const double> from) {
                into[0] += from[0];
                into[1] += from[1];
              }};
}

TEST(OrderedSumOverRanks, GivesTheBitsOfOneProcessOnEveryRank) {
  LocalExecution alone(1);
  const Blocks all{.n_items = 64, .items_per_block = rows_in_block};
  const std::vector<double> expected = ordered_sum(alone.get(), all, row_sum(all, 0));
  EXPECT_EQ(expected[1], 64.0);
  for (const RowsOfRanks& rows : divisions()) {
    on_ranks(rows.size(), [&](const Communicator& communicator) {
      ThreadPool pool(2);
      const StopSignal never;
      const Blocks mine{.n_items = rows[communicator.rank()], .items_per_block = rows_in_block};
      const OrderedSum sum = row_sum(mine, rows_before(rows, communicator.rank()));
      for (int attempt = 0; attempt < 3; ++attempt) {
        EXPECT_EQ(ordered_sum({pool, communicator, never}, mine, sum), expected)
            << fmt::format("{} ranks, rank {}", rows.size(), communicator.rank());
      }
    });
  }
}

// The example is one where the way in which rows are divided matters, so that the test above can fail.
TEST(OrderedSumOverRanks, AddingUpTheSumsOfRanksWouldGiveOtherBits) {
  LocalExecution alone(1);
  const auto sum_of = [&](std::size_t first, std::size_t n_rows) {
    const Blocks blocks{.n_items = n_rows, .items_per_block = rows_in_block};
    return ordered_sum(alone.get(), blocks, row_sum(blocks, first))[0];
  };
  EXPECT_NE(sum_of(0, 64), sum_of(0, 30) + sum_of(30, 34));
}

TEST(OrderedSumOverRanks, NoRowsAnywhereGiveZeros) {
  on_ranks(3, [](const Communicator& communicator) {
    ThreadPool pool(1);
    const StopSignal never;
    const Execution execution{pool, communicator, never};
    EXPECT_EQ(ordered_sum(execution, {.n_items = 0}, {.size = 2, .add = {}, .merge = {}}), std::vector<double>(2, 0.0));
  });
}

// Accumulators that hold the brackets of the tree as letters.
TEST(OrderedSumOverRanks, AccumulatorsOfAnyLengthAreCombinedByTheSameTree) {
  const auto brackets = [](const Execution& execution, const Blocks& blocks, std::size_t first_block) {
    const auto add = [&](std::vector<double>& accumulator, std::size_t block, std::size_t /*worker*/) {
      EXPECT_TRUE(accumulator.empty());
      const std::string text = std::to_string(first_block + block);
      accumulator.assign(text.begin(), text.end());
    };
    const auto merge = [](std::vector<double>& into, std::span<const double> from) {
      into.insert(into.begin(), '(');
      into.push_back('+');
      into.insert(into.end(), from.begin(), from.end());
      into.push_back(')');
    };
    const std::vector<double> letters = ordered_sum(execution, blocks, GrowingSum{.add = add, .merge = merge});
    return std::string(letters.begin(), letters.end());
  };
  for (const RowsOfRanks& rows : divisions()) {
    on_ranks(rows.size(), [&](const Communicator& communicator) {
      ThreadPool pool(2);
      const StopSignal never;
      const Blocks mine{.n_items = rows[communicator.rank()], .items_per_block = rows_in_block};
      const std::size_t first_block = (rows_before(rows, communicator.rank()) + rows_in_block - 1) / rows_in_block;
      EXPECT_EQ(brackets({pool, communicator, never}, mine, first_block), "(((0+1)+(2+3))+((4+5)+6))");
    });
  }
}

TEST(OrderedSumOverRanks, ARankThatEndsWithinABlockIsRefusedOnAll) {
  on_ranks(3, [](const Communicator& communicator) {
    ThreadPool pool(1);
    const StopSignal never;
    const std::vector<std::size_t> rows = {20, 15, 5};
    const Blocks mine{.n_items = rows[communicator.rank()], .items_per_block = rows_in_block};
    try {
      (void)ordered_sum({pool, communicator, never}, mine, row_sum(mine, 0));
      FAIL() << "no error";
    } catch (const DataError& error) {
      EXPECT_EQ(error.what(),
                std::string("rank 1 holds 15 rows, and rank 2 more: every rank but the last one with rows "
                            "needs a multiple of 10 rows"));
    }
  });
}

// Asked before the sum, or in the midst of it.
TEST(OrderedSumOverRanks, AStopOfOneRankStopsAllInTheSameSum) {
  for (const bool is_early : {true, false}) {
    on_ranks(3, [&](const Communicator& communicator) {
      ThreadPool pool(2);
      std::stop_source source;
      const StopSignal stop(source.get_token(), nullptr, std::nullopt);
      const StopSignal never;
      const Blocks mine{.n_items = 40, .items_per_block = rows_in_block};
      OrderedSum sum = row_sum(mine, 40 * communicator.rank());
      const bool asks = communicator.rank() == 1;
      if (asks && is_early) source.request_stop();
      sum.add = [&](std::span<double>, std::size_t, std::size_t) {
        if (asks) source.request_stop();
      };
      EXPECT_THROW((void)ordered_sum({pool, communicator, stop}, mine, sum), Stopped);
      // They are still together.
      EXPECT_EQ(ordered_sum({pool, communicator, never}, mine, row_sum(mine, 0))[1], 120.0);
    });
  }
}

TEST(OrderedSumOverRanks, AnErrorOfOneRankEndsAll) {
  std::atomic<int> n_others = 0;
  on_ranks(3, [&](const Communicator& communicator) {
    ThreadPool pool(2);
    const StopSignal never;
    const Blocks mine{.n_items = 40, .items_per_block = rows_in_block};
    OrderedSum sum = row_sum(mine, 0);
    if (communicator.rank() == 2) {
      sum.add = [](std::span<double>, std::size_t block, std::size_t) {
        if (block == 3) throw NumericError("row 35 is infinite");
      };
    }
    const Execution execution{pool, communicator, never};
    try {
      (void)together(communicator, [&] { return ordered_sum(execution, mine, sum); });
      FAIL() << "no error";
    } catch (const NumericError&) {
      EXPECT_EQ(communicator.rank(), 2U);
    } catch (const RankError& error) {
      EXPECT_EQ(error.what(), std::string("rank 2: row 35 is infinite"));
      ++n_others;
    }
  });
  EXPECT_EQ(n_others, 2);
}

}  // namespace
}  // namespace coppice::internal
