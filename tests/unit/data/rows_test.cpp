// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

Dataset random_data(std::size_t n_rows, std::size_t n_columns, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test};
  std::vector<double> values(n_rows * n_columns);
  for (double& value : values) value = 3.0 + random.normal();
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

std::vector<double> origin_of(const Dataset& data, std::size_t threads = 1) {
  LocalExecution local(threads);
  return fixed_origin(local.get(), data);
}

bool has_8_bits(double value) {
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(value, &exponent), 8);
  return scaled == std::nearbyint(scaled);
}

TEST(FixedOrigin, IsTheMeanRoundedTo8Bits) {
  for (const double mean : {0.0, 1.0, -1.0, 1234.567, -0.001234, 3e15}) {
    const Dataset data = Dataset::from_rows(std::vector<double>{mean, mean, mean}, 3, 1);
    const double origin = origin_of(data)[0];
    EXPECT_TRUE(has_8_bits(origin)) << origin;
    EXPECT_LE(std::abs(origin - mean), 0x1p-8 * std::abs(mean)) << "half of the last of 8 bits, and then some";
  }
  EXPECT_EQ(origin_of(Dataset::from_rows(std::vector<double>{65.0, 66.0}, 2, 1))[0], 65.5);
  EXPECT_EQ(origin_of(Dataset::from_rows(std::vector<double>{257.0, 258.0}, 2, 1))[0], 258.0);
}

TEST(FixedOrigin, GoesByWeight) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0.0, 8.0, 1e9}, 3, 1);
  EXPECT_EQ(origin_of(data.with_weights({3.0, 1.0, 0.0}))[0], 2.0);
}

TEST(FixedOrigin, IsTheSameForShuffledRowsAndAnyThreads) {
  const std::size_t n = 20000;
  const Dataset data = random_data(n, 2, 1);
  std::vector<double> reversed(n * 2);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t c = 0; c < 2; ++c) reversed[row * 2 + c] = data.value(n - 1 - row, c);
  }
  EXPECT_EQ(origin_of(Dataset::from_rows(reversed, n, 2)), origin_of(data));
  for (const std::size_t threads : {2U, 5U}) EXPECT_EQ(origin_of(data, threads), origin_of(data));
}

// 16777216 = 2^24 is where float32 has no fractions left: neighbouring values are 2 apart.
TEST(Rows, Float32FarFromTheOriginKeepsItsDigits) {
  const std::vector<float> stored = {16777216.0F, 16777218.0F, 16777220.0F, 16777222.0F};
  const Dataset data = Dataset::from_rows(stored, 4, 1);
  const Rows rows(data, origin_of(data));
  std::vector<double> first(1);
  std::vector<double> other(1);
  rows.copy_row(0, first);
  for (std::size_t row = 1; row < 4; ++row) {
    rows.copy_row(row, other);
    EXPECT_EQ(other[0] - first[0], 2.0 * static_cast<double>(row));
    EXPECT_EQ(other[0] + rows.origin()[0], static_cast<double>(stored[row]));
  }
  BlockBuffer buffer(1);
  RowBlock block(rows, 0, 4, buffer);
  EXPECT_EQ(block.panel().column(0)[3], other[0]);
}

TEST(RowBlock, ByRunAndByIndexAgreeWithTheRows) {
  for (const bool is_float : {false, true}) {
    const Dataset doubles = random_data(300, 3, 2);
    const std::vector<float> floats(doubles.doubles().begin(), doubles.doubles().end());
    const Dataset data = is_float ? Dataset::from_rows(floats, 300, 3) : doubles;
    const Rows rows(data, {1.0, -2.0, 0.5});
    std::vector<std::size_t> chosen(kernels::panel_rows);
    std::iota(chosen.begin(), chosen.end(), std::size_t{17});
    std::vector<std::size_t> scattered = {299, 0, 0, 17, 250};
    BlockBuffer buffer(3);
    BlockBuffer other_buffer(3);
    RowBlock run(rows, 17, kernels::panel_rows, buffer);
    RowBlock index(rows, chosen, other_buffer);
    ASSERT_EQ(run.n_rows(), index.n_rows());
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t i = 0; i < run.n_rows(); ++i) {
        EXPECT_EQ(run.row(i), 17 + i);
        EXPECT_EQ(run.panel().column(c)[i], data.value(17 + i, c) - rows.origin()[c]);
        EXPECT_EQ(run.panel().column(c)[i], index.panel().column(c)[i]);
      }
    }
    RowBlock few(rows, scattered, buffer);
    for (std::size_t i = 0; i < scattered.size(); ++i) {
      EXPECT_EQ(few.row(i), scattered[i]);
      EXPECT_EQ(few.panel().column(2)[i], data.value(scattered[i], 2) - 0.5);
    }
  }
}

TEST(RowBlock, AScratchPanelMayBeOverwritten) {
  const Rows rows(random_data(10, 2, 3), {0.0, 0.0});
  BlockBuffer buffer(2);
  RowBlock block(rows, 2, 5, buffer);
  EXPECT_EQ(block.panel().column(1)[4], rows.data().value(6, 1));
  double* scratch = block.scratch_panel();
  EXPECT_EQ(scratch[4], rows.data().value(6, 0));
  for (std::size_t i = 0; i < 5; ++i) scratch[i] = -77.0;
  EXPECT_EQ(block.panel().column(0)[4], rows.data().value(6, 0)) << "filled afresh";
}

TEST(RowBlock, OffersSparseRows) {
  const Dataset data = Dataset::from_sparse_rows(SparseEntries<float>{{0, 2, 2, 3}, {1, 3, 0}, {5.0F, 7.0F, 9.0F}, 4});
  const Rows rows(data, std::vector<double>(4, 0.0));
  EXPECT_TRUE(rows.are_sparse());
  std::vector<double> copy(4, -1.0);
  rows.copy_row(0, copy);
  EXPECT_EQ(copy, (std::vector<double>{0.0, 5.0, 0.0, 7.0}));
  rows.copy_row(1, copy);
  EXPECT_EQ(copy, std::vector<double>(4, 0.0));
  const std::vector<std::size_t> chosen = {2, 0};
  BlockBuffer buffer(4);
  const RowBlock block(rows, chosen, buffer);
  EXPECT_TRUE(block.are_sparse());
  EXPECT_EQ(block.sparse_row(0).columns[0], 0U);
  EXPECT_EQ(block.sparse_row(1).value(1), 7.0);
}

TEST(Rows, KnowTheirWeights) {
  const Dataset data = random_data(3, 1, 4);
  EXPECT_FALSE(Rows(data, {0.0}).are_weighted());
  EXPECT_EQ(Rows(data, {0.0}).weight(2), 1.0);
  const Rows weighted(data.with_weights({1.0, 2.0, 0.0}), {0.0});
  EXPECT_TRUE(weighted.are_weighted());
  EXPECT_EQ(weighted.weight(1), 2.0);
}

}  // namespace
}  // namespace coppice::internal
