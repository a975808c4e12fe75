// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/shared_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

// Rows as they are stored and as a panel, and sets of weights. `spacing` numbers lie between the first weights of two
// sets.
template <class Value>
struct Example {
  Example(std::size_t n_rows_, std::size_t n_columns, std::size_t n_sets, std::size_t spacing_)
      : n_rows(n_rows_), d(n_columns), spacing(spacing_), panel(d * panel_stride, 0.0), weights(n_sets * spacing, 0.0) {
    RandomStream random{n_rows, Purpose::test, d};
    for (std::size_t c = 0; c < d; ++c) origin.push_back(random.normal());
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (std::size_t c = 0; c < d; ++c) {
        values.push_back(static_cast<Value>(2.0 + random.normal()));
        panel[c * panel_stride + row] = static_cast<double>(values.back()) - origin[c];
      }
    }
    for (std::size_t set = 0; set < n_sets; ++set) {
      for (std::size_t row = 0; row < n_rows; ++row) {
        weights[set * spacing + row] = random.below(3) == 0 ? 0.0 : random.uniform();
      }
    }
    sums.assign(n_sets * 2 * d, -7.0);
    for (std::size_t set = 0; set < n_sets; ++set) {
      sets.push_back({&weights[set * spacing], &sums[2 * d * set], &sums[2 * d * set + d]});
    }
  }

  [[nodiscard]] StoredRows stored() const {
    StoredRows rows{.n_rows = n_rows, .origin = origin.data()};
    set_values(rows, values);
    return rows;
  }

  // In long double.
  void expect_sums() const {
    for (const SharedSums& set : sets) {
      for (std::size_t c = 0; c < d; ++c) {
        long double sum = 0.0L;
        long double square = 0.0L;
        for (std::size_t row = 0; row < n_rows; ++row) {
          const auto x = static_cast<long double>(panel[c * panel_stride + row]);
          sum += set.weights[row] * x;
          square += set.weights[row] * x * x;
        }
        ASSERT_NEAR(set.sums[c], static_cast<double>(sum), 1e-11) << c << " of " << d;
        ASSERT_NEAR(set.squares[c], static_cast<double>(square), 1e-11) << c << " of " << d;
      }
    }
  }

  std::size_t n_rows;
  std::size_t d;
  std::size_t spacing;
  std::vector<double> origin;
  std::vector<Value> values;
  std::vector<double> panel;
  std::vector<double> weights;
  std::vector<double> sums;
  std::vector<SharedSums> sets;
};

TEST(SharedSums, OfPanelsEqualLongDouble) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 3U, 8U, 13U}) {
      for (const std::size_t n_rows : {1U, 7U, 8U, 9U, 31U, 256U}) {
        for (const std::size_t n_sets : {1U, 2U, 3U, 6U}) {
          Example<double> example(n_rows, d, n_sets, panel_stride);
          shared_sums({example.panel.data(), n_rows, d}, example.sets);
          example.expect_sums();
        }
      }
    }
  });
}

template <class Value>
void check_stored() {
  for (const std::size_t d : {8U, 9U, 15U, 16U, 33U}) {
    for (const std::size_t n_rows : {1U, 7U, 31U, 256U}) {
      for (const std::size_t n_sets : {1U, 2U, 3U, 6U, 8U, 15U, 21U}) {
        // Sets that lie as those of a panel do, and others.
        for (const std::size_t spacing : {panel_stride, panel_stride + 16}) {
          Example<Value> example(n_rows, d, n_sets, spacing);
          shared_sums(example.stored(), d, example.sets);
          example.expect_sums();
        }
      }
    }
  }
}

TEST(SharedSums, OfStoredRowsEqualLongDouble) {
  for_each_target([] {
    check_stored<double>();
    check_stored<float>();
  });
}

// Sums of random rows, all of weight 1, around a mean that is `distance` standard deviations from zero in one column.
struct Set {
  Set(std::size_t d, double distance, std::uint64_t seed) : sums(d, 0.0), squares(d, 0.0) {
    RandomStream random{seed, Purpose::test, d};
    for (std::size_t row = 0; row < n_rows; ++row) {
      rows.emplace_back();
      for (std::size_t c = 0; c < d; ++c) {
        const double x = (c == d / 2 ? distance : 0.5) + random.normal();
        rows.back().push_back(x);
        sums[c] += x;
        squares[c] += x * x;
      }
    }
  }
  [[nodiscard]] SetSums get() const { return {static_cast<double>(n_rows), sums, squares}; }

  static constexpr std::size_t n_rows = 50;
  std::vector<std::vector<double>> rows;
  std::vector<double> sums;
  std::vector<double> squares;
};

TEST(KeepDigits, SaysWhereTheMeanIsTooFarAway) {
  for_each_target([] {
    for (const std::size_t d : {1U, 3U, 8U, 13U, 33U}) {
      EXPECT_TRUE(keep_digits(Set(d, 100.0, 1).get()));
      EXPECT_FALSE(keep_digits(Set(d, 1e5, 1).get()));
      Set infinite(d, 1.0, 1);
      infinite.squares[d / 2] = std::numeric_limits<double>::infinity();
      EXPECT_FALSE(keep_digits(infinite.get()));
      Set constant(d, 1.0, 1);  // nothing is left but rounding
      constant.squares[d / 2] = constant.sums[d / 2] * constant.sums[d / 2] / Set::n_rows;
      EXPECT_FALSE(keep_digits(constant.get()));
    }
  });
}

// One set after the other, from nothing, against both at once in long double.
TEST(MergeSums, EqualMomentsOfAllRows) {
  for_each_target([] {
    for (const std::size_t d : {1U, 3U, 8U, 13U, 33U}) {
      const Set first(d, 2.0, 1);
      const Set second(d, -3.0, 2);
      std::vector<double> mean(d, 0.0);
      std::vector<double> squares(d, 0.0);
      std::vector<double> mean_again(d, 0.0);
      std::vector<double> trace(1, 0.0);
      double weight = 0.0;
      for (const Set* set : {&first, &second}) {
        merge_sums(set->get(), weight, mean, squares);
        merge_sums(set->get(), weight, mean_again, trace);
        weight += Set::n_rows;
      }
      double of_all = 0.0;
      for (std::size_t c = 0; c < d; ++c) {
        const long double want = (first.sums[c] + second.sums[c]) / static_cast<long double>(weight);
        long double about_mean = 0.0L;
        for (const Set* set : {&first, &second}) {
          for (const std::vector<double>& row : set->rows) about_mean += (row[c] - want) * (row[c] - want);
        }
        ASSERT_NEAR(mean[c], static_cast<double>(want), 1e-13);
        ASSERT_EQ(mean_again[c], mean[c]);
        ASSERT_NEAR(squares[c], static_cast<double>(about_mean), 1e-11);
        of_all += squares[c];
      }
      ASSERT_NEAR(trace[0], of_all, 1e-11 * of_all);
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
