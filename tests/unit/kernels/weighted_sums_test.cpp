// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/weighted_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/kernels/moments.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

struct Example {
  std::size_t n_rows;
  std::size_t n_columns;
  std::vector<double> panel;
  std::vector<double> weights;  // empty: all ones
  std::vector<double> about;

  Example(std::size_t rows, std::size_t columns, bool is_weighted)
      : n_rows(rows), n_columns(columns), panel(columns * panel_stride, 0.0) {
    RandomStream random{rows, Purpose::test, columns};
    for (std::size_t c = 0; c < n_columns; ++c) {
      about.push_back(random.normal());
      for (std::size_t row = 0; row < n_rows; ++row) panel[c * panel_stride + row] = 2.0 + random.normal();
    }
    for (std::size_t row = 0; row < n_rows && is_weighted; ++row) {
      weights.push_back(row % 3 == 1 ? 0.0 : random.uniform(0.1, 2.0));
    }
  }
  [[nodiscard]] PanelView view() const { return {panel.data(), n_rows, n_columns}; }
  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  [[nodiscard]] double t(std::size_t row, std::size_t c) const { return panel[c * panel_stride + row] - about[c]; }

  // sum over rows of weight(row) term(row)
  template <class Term>
  [[nodiscard]] double sum(const Term& term) const {
    long double total = 0.0L;
    for (std::size_t row = 0; row < n_rows; ++row) total += static_cast<long double>(weight(row)) * term(row);
    return static_cast<double>(total);
  }
};

void check(const Example& example) {
  const std::size_t d = example.n_columns;
  const PaddedWeights weights(example.weights, example.n_rows);
  const double total = example.sum([](std::size_t) { return 1.0; });
  ASSERT_NEAR(weights.total(), total, 1e-13 * total);
  if (!(total > 0.0)) return;  // the only row weighs nothing

  const std::vector<double> before = example.panel;
  std::vector<double> means(d);
  weighted_means(example.view(), weights, means);
  std::vector<double> sums(d, 1.0);  // what is there stays
  std::vector<double> squares(d, 2.0);
  add_squares(example.view(), weights, {example.about, sums, squares});
  std::vector<double> sums_again(d, 1.0);
  std::vector<double> packed(packed_size(d), 3.0);
  add_products(example.view(), weights, {example.about, sums_again, packed});
  ASSERT_EQ(example.panel, before) << "the panel stays as it is";
  for (std::size_t i = 0; i < d; ++i) {
    const double mean = example.sum([&](std::size_t row) { return example.t(row, i); }) / total + example.about[i];
    ASSERT_NEAR(means[i], mean, 1e-13);
    ASSERT_NEAR(sums[i], 1.0 + total * (mean - example.about[i]), 1e-11);
    ASSERT_NEAR(sums_again[i], sums[i], 1e-11);
    for (std::size_t j = 0; j <= i; ++j) {
      const double product = example.sum([&](std::size_t row) { return example.t(row, i) * example.t(row, j); });
      ASSERT_NEAR(packed[packed_index(i, j)], 3.0 + product, 1e-11) << i << ", " << j << " of " << d;
    }
    ASSERT_NEAR(squares[i], packed[packed_index(i, i)] - 1.0, 1e-11);
  }
}

TEST(WeightedSums, EqualLongDouble) {
  for_each_target([] {
    for (std::size_t d = 1; d <= 13; ++d) {
      for (const std::size_t n_rows : {1U, 2U, 7U, 8U, 9U, 31U, 100U, 255U, 256U}) {
        check(Example(n_rows, d, false));
        check(Example(n_rows, d, true));
      }
    }
    check(Example(200, 33, true));
    check(Example(77, 64, true));
  });
}

// A huge row of weight zero must not leak in, not even through rounding.
TEST(WeightedSums, RowsOfWeightZeroDoNotCount) {
  for_each_target([] {
    Example example(4, 2, false);
    example.weights = {1.0, 0.0, 2.0, 0.5};
    example.panel[1] = 1e150;
    example.panel[panel_stride + 1] = -1e150;
    check(example);
  });
}

}  // namespace
}  // namespace coppice::kernels
