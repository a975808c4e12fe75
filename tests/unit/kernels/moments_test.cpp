// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

struct Moments {
  double weight = 0.0;
  std::vector<double> mean;
  std::vector<double> scatter;
};

struct Example {
  std::size_t n_rows;
  std::size_t n_columns;
  std::vector<double> panel;
  std::vector<double> weights;  // empty: all ones

  Example(std::size_t rows, std::size_t columns, double offset)
      : n_rows(rows), n_columns(columns), panel(columns * panel_stride) {
    RandomStream random{rows, Purpose::test, columns};
    for (std::size_t c = 0; c < n_columns; ++c) {
      for (std::size_t row = 0; row < n_rows; ++row) panel[c * panel_stride + row] = offset + random.normal();
    }
  }
  // Every third row weighs nothing.
  Example& weigh() {
    RandomStream random{7, Purpose::test};
    for (std::size_t row = 0; row < n_rows; ++row) weights.push_back(row % 3 == 1 ? 0.0 : random.uniform(0.1, 2.0));
    return *this;
  }
  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  [[nodiscard]] double value(std::size_t row, std::size_t c) const { return panel[c * panel_stride + row]; }
};

Moments computed(const Example& example, std::vector<double>& panel) {
  Moments moments{0.0, std::vector<double>(example.n_columns, 9.0),
                  std::vector<double>(packed_size(example.n_columns), 9.0)};
  panel = example.panel;
  moments.weight = panel_moments(panel.data(), example.n_rows, example.weights, moments.mean, moments.scatter);
  return moments;
}

// Two passes in long double.
Moments expected(const Example& example) {
  long double weight = 0.0L;
  std::vector<long double> mean(example.n_columns, 0.0L);
  for (std::size_t row = 0; row < example.n_rows; ++row) {
    weight += example.weight(row);
    for (std::size_t c = 0; c < mean.size(); ++c) {
      mean[c] += static_cast<long double>(example.weight(row)) * example.value(row, c);
    }
  }
  for (long double& value : mean) value /= weight;
  Moments moments{static_cast<double>(weight), {mean.begin(), mean.end()}, {}};
  for (std::size_t i = 0; i < mean.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      long double sum = 0.0L;
      for (std::size_t row = 0; row < example.n_rows; ++row) {
        sum += example.weight(row) * (example.value(row, i) - mean[i]) * (example.value(row, j) - mean[j]);
      }
      moments.scatter.push_back(static_cast<double>(sum));
    }
  }
  return moments;
}

// Rounding of a mean far out moves it by some 2^-52 of its size; the scatter about it feels only the square of that.
void check(const Example& example, double offset) {
  std::vector<double> panel;
  const Moments got = computed(example, panel);
  const Moments want = expected(example);
  ASSERT_NEAR(got.weight, want.weight, 1e-13 * want.weight);
  for (std::size_t c = 0; c < example.n_columns; ++c) ASSERT_NEAR(got.mean[c], want.mean[c], 1e-14 * (1.0 + offset));
  const double mean_error = 1e-14 * offset;
  const double allowed = 1e-11 + static_cast<double>(example.n_rows) * 2.0 * mean_error * mean_error;
  for (std::size_t i = 0; i < got.scatter.size(); ++i) {
    ASSERT_NEAR(got.scatter[i], want.scatter[i], allowed)
        << i << ", " << example.n_rows << " rows, " << example.n_columns << " columns";
  }
}

constexpr std::size_t row_counts[] = {1, 2, 3, 7, 8, 9, 16, 31, 100, 255, 256};

TEST(PanelMoments, EqualsTwoPassesInLongDouble) {
  for_each_target([] {
    for (std::size_t d = 1; d <= 13; ++d) {
      for (const std::size_t n_rows : row_counts) check(Example(n_rows, d, 0.0), 0.0);
    }
    check(Example(200, 33, 0.0), 0.0);
    check(Example(77, 64, 0.0), 0.0);
  });
}

TEST(PanelMoments, WithWeights) {
  for_each_target([] {
    for (std::size_t d = 1; d <= 9; ++d) {
      for (const std::size_t n_rows : row_counts) check(Example(n_rows, d, 0.0).weigh(), 0.0);
    }
  });
}

TEST(PanelMoments, KeepsItsDigitsFarFromTheOrigin) {
  for_each_target([] {
    for (const std::size_t d : {1U, 3U, 4U, 10U}) {
      check(Example(256, d, 1e9), 1e9);
      check(Example(129, d, 1e9).weigh(), 1e9);
    }
  });
}

TEST(PanelMoments, LeavesTheWeightedCentredRowsBehind) {
  const Example example = Example(20, 3, 5.0).weigh();
  std::vector<double> panel;
  const Moments moments = computed(example, panel);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t row = 0; row < 20; ++row) {
      const double centred = std::sqrt(example.weight(row)) * (example.value(row, c) - moments.mean[c]);
      EXPECT_NEAR(panel[c * panel_stride + row], centred, 1e-14);
    }
  }
}

TEST(PanelMoments, NoWeightAtAllGivesZeros) {
  Example example(5, 2, 3.0);
  example.weights.assign(5, 0.0);
  std::vector<double> panel;
  const Moments moments = computed(example, panel);
  EXPECT_EQ(moments.weight, 0.0);
  EXPECT_EQ(moments.mean, std::vector<double>(2, 0.0));
  EXPECT_EQ(moments.scatter, std::vector<double>(3, 0.0));
}

// A huge row of weight zero must not leak in, not even through rounding.
TEST(PanelMoments, RowsOfWeightZeroDoNotCount) {
  Example with(4, 2, 0.0);
  with.weights = {1.0, 0.0, 2.0, 0.5};
  with.panel[1] = 1e150;
  with.panel[panel_stride + 1] = -1e150;
  Example without(3, 2, 0.0);
  without.weights = {1.0, 2.0, 0.5};
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t row = 0; row < 3; ++row) {
      without.panel[c * panel_stride + row] = with.value(row == 0 ? 0 : row + 1, c);
    }
  }
  std::vector<double> panel;
  const Moments a = computed(with, panel);
  const Moments b = computed(without, panel);
  EXPECT_EQ(a.weight, b.weight);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(a.mean[c], b.mean[c], 1e-14);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.scatter[i], b.scatter[i], 1e-13);
}

}  // namespace
}  // namespace coppice::kernels
