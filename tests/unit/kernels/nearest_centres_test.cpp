// SPDX-License-Identifier: BSD-3-Clause
// Single precision against long doubles: right wherever it does not say that it is in doubt.
#include "coppice/kernels/nearest_centres.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/family/tie_rule.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

struct Found {
  NearestCentres nearest;
  std::vector<bool> is_doubtful;
  [[nodiscard]] std::size_t n_doubtful() const {
    return static_cast<std::size_t>(std::ranges::count(is_doubtful, true));
  }
};

// Rows as stored, centres less the origin, as the family has them.
template <class Value>
struct Example {
  std::size_t n_columns;
  std::vector<Value> rows;
  std::vector<double> centres;
  std::vector<double> origin;
  std::vector<std::size_t> index = {};  // empty: all rows

  [[nodiscard]] std::size_t n_rows() const { return index.empty() ? rows.size() / n_columns : index.size(); }
  [[nodiscard]] std::size_t n_centres() const { return centres.size() / n_columns; }

  [[nodiscard]] Found find() const {
    FloatRows floats;
    return find(floats);
  }
  Found find(FloatRows& floats) const {
    const std::size_t* chosen = index.empty() ? nullptr : index.data();
    StoredRows stored{nullptr, nullptr, chosen, n_rows(), origin.data()};
    set_values(stored, rows);
    load_floats(stored, n_columns, floats);
    Found found{{}, std::vector<bool>(n_rows(), false)};
    PackedCentres(centres, n_columns).nearest(floats, found.nearest);
    std::vector<std::uint32_t> doubtful(n_rows());
    doubtful.resize(DoubtfulRows(n_columns, widest_band(n_columns)).list(floats, found.nearest, doubtful.data()));
    for (const std::uint32_t row : doubtful) found.is_doubtful[row] = true;
    return found;
  }

  [[nodiscard]] long double squared_distance(std::size_t i, std::size_t centre) const {
    const std::size_t row = index.empty() ? i : index[i];
    long double sum = 0.0L;
    for (std::size_t c = 0; c < n_columns; ++c) {
      const long double x = static_cast<long double>(rows[row * n_columns + c]) - origin[c];
      const long double t = x - centres[centre * n_columns + c];
      sum += t * t;
    }
    return sum;
  }
};

template <class Value>
Example<Value> random_example(std::size_t n_rows, std::size_t n_columns, std::size_t k, double spread = 2.0) {
  RandomStream random{n_rows, Purpose::test, 1000 * n_columns + k};
  Example<Value> example{n_columns, {}, {}, std::vector<double>(n_columns, 0.25)};
  for (std::size_t i = 0; i < n_rows * n_columns; ++i) {
    example.rows.push_back(static_cast<Value>(0.25 + spread * random.normal()));
  }
  for (std::size_t i = 0; i < k * n_columns; ++i) example.centres.push_back(spread * random.normal());
  return example;
}

// Wherever a row is not listed, its winner is the nearest centre, and no other comes within the tie band.
template <class Value>
void expect_right(const Example<Value>& example) {
  const Found found = example.find();
  for (std::size_t i = 0; i < example.n_rows(); ++i) {
    if (found.is_doubtful[i]) continue;
    const auto winner = static_cast<std::size_t>(found.nearest.nearest[i]);
    ASSERT_LT(winner, example.n_centres());
    const long double best = example.squared_distance(i, winner);
    for (std::size_t c = 0; c < example.n_centres(); ++c) {
      if (c == winner) continue;
      const long double other = example.squared_distance(i, c);
      const long double band = static_cast<long double>(tie_band) * 2.0L * (best + other);
      ASSERT_GT(other - best, band) << "row " << i << ", centre " << c << ", not " << winner << "; "
                                    << example.n_columns << " columns, " << example.n_centres() << " centres";
    }
  }
}

// Last tiles of up to 8 centres, and of more; behind one, two and three others.
constexpr std::size_t centre_counts[] = {1, 2, 8, 9, 15, 16, 17, 25, 40, 49, 56, 57, 64, 100};

TEST(NearestCentres, AreRightWhereverTheyAreNotInDoubt) {
  for_each_target([] {
    for (std::size_t d = 1; d <= 20; ++d) {
      for (const std::size_t k : centre_counts) {
        expect_right(random_example<double>(1 + (37 * d + 11 * k) % 300, d, k));
        expect_right(random_example<float>(1 + (53 * d + 7 * k) % 300, d, k));
      }
    }
    for (const std::size_t d : {31U, 74U, 90U, 127U, 143U, 784U}) {
      expect_right(random_example<double>(40, d, 17));
      expect_right(random_example<float>(13, d, 100));
    }
  });
}

TEST(NearestCentres, TakeAnyNumberOfRows) {
  for_each_target([] {
    for (std::size_t n_rows = 1; n_rows <= 40; ++n_rows) {
      expect_right(random_example<double>(n_rows, 7, 17));
      expect_right(random_example<double>(n_rows, 130, 13));
    }
    expect_right(random_example<float>(300, 6, 16));
  });
}

// Whatever comes in meanwhile: nothing, less than a cache line, or more than the product has time for.
TEST(NearestCentres, ReadingAheadChangesNothing) {
  for_each_target([] {
    const std::vector<float> memory(100'000);
    for (const std::size_t n_rows : {1U, 7U, 60U}) {
      const Example<float> example = random_example<float>(n_rows, 9, 60);
      FloatRows floats;
      const Found expected = example.find(floats);
      for (const std::size_t n_ahead : {0U, 1U, 500U, 100'000U}) {
        NearestCentres found;
        PackedCentres(example.centres, 9).nearest(floats, found, std::as_bytes(std::span(memory).first(n_ahead)));
        EXPECT_EQ(found.nearest, expected.nearest.nearest);
        EXPECT_EQ(found.best, expected.nearest.best);
        EXPECT_EQ(found.second, expected.nearest.second);
      }
    }
  });
}

TEST(NearestCentres, TakeRowsByTheirNumbers) {
  for_each_target([] {
    Example<double> some = random_example<double>(50, 6, 17);
    some.index = {49, 0, 7, 7, 31};
    expect_right(some);
    Example<float> floats = random_example<float>(50, 9, 17);
    floats.index = {3, 48, 2};
    expect_right(floats);
  });
}

TEST(NearestCentres, FewOrdinaryRowsAreInDoubt) {
  for_each_target([] {
    for (const std::size_t d : {5U, 20U, 90U, 784U}) {
      const Example<double> example = random_example<double>(300, d, 16);
      EXPECT_LT(example.find().n_doubtful(), 15U) << d << " columns";  // 5 %
    }
  });
}

TEST(NearestCentres, EqualCentresAreInDoubt) {
  for_each_target([] {
    for (const std::size_t k : {2U, 16U, 17U, 40U}) {
      Example<double> example = random_example<double>(60, 6, 1);
      for (std::size_t copy = 1; copy < k; ++copy) {
        example.centres.insert(example.centres.end(), example.centres.begin(), example.centres.begin() + 6);
      }
      EXPECT_EQ(example.find().n_doubtful(), 60U) << k << " centres";
    }
  });
}

// Equal columns round the same way again and again: the worst that sums of squares can meet.
template <class Value>
Example<Value> equal_columns(std::size_t n_rows, std::size_t n_columns) {
  RandomStream random{n_columns, Purpose::test, 40};
  Example<Value> example{n_columns, {}, std::vector<double>(n_columns, 0.0), std::vector<double>(n_columns, 0.0)};
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto value = static_cast<Value>(random.uniform(0.5, 2.0));
    example.rows.insert(example.rows.end(), n_columns, value);
  }
  return example;
}

// Bounds on distances rest on this promise of float_roundings.
template <class Value>
void expect_distances_within_roundings(const Example<Value>& example) {
  FloatRows floats;
  const Found found = example.find(floats);
  Example<Value> from_origin = example;
  from_origin.centres.assign(example.n_columns, 0.0);
  for (std::size_t i = 0; i < example.n_rows(); ++i) {
    const auto winner = static_cast<std::size_t>(found.nearest.nearest[i]);
    long double size = from_origin.squared_distance(i, 0);
    for (std::size_t c = 0; c < example.n_columns; ++c) {
      size += std::pow(static_cast<long double>(example.centres[winner * example.n_columns + c]), 2.0L);
    }
    const long double got = static_cast<long double>(floats.squared_lengths[i]) - 2.0L * found.nearest.best[i];
    const long double error = std::abs(got - example.squared_distance(i, winner));
    ASSERT_LE(error / (0x1p-24L * size), float_roundings(example.n_columns)) << example.n_columns << " columns";
  }
}

TEST(NearestCentres, DistancesAreAsExactAsPromised) {
  for_each_target([] {
    for (const std::size_t d : {1U, 5U, 90U, 127U, 128U, 129U, 784U, 3000U}) {
      expect_distances_within_roundings(random_example<double>(50, d, 17));
      expect_distances_within_roundings(random_example<float>(50, d, 17));
      expect_distances_within_roundings(equal_columns<double>(50, d));
      expect_distances_within_roundings(equal_columns<float>(50, d));
    }
  });
}

// Rows around 1e6 whose differences have few digits left in single precision, seen from an origin of 0.
TEST(NearestCentres, RowsFarFromTheOriginAreInDoubtOrRight) {
  for_each_target([] {
    Example<float> example = random_example<float>(300, 8, 20);
    for (float& value : example.rows) value += 1e6F;
    for (double& value : example.centres) value += 1e6;
    expect_right(example);
    EXPECT_GT(example.find().n_doubtful(), 250U);
    example.origin.assign(8, 1e6);
    for (double& value : example.centres) value -= 1e6;
    expect_right(example);
    EXPECT_LT(example.find().n_doubtful(), 15U);
  });
}

TEST(NearestCentres, NumbersBeyondSinglePrecisionAreInDoubtOrRight) {
  for_each_target([] {
    for (const double scale : {1e-30, 1e-20, 1e17, 1e18, 5e18, 1e19, 2e19, 1e25, 1e30, 1e39}) {
      Example<double> example = random_example<double>(100, 5, 33);
      for (double& value : example.rows) value = 0.25 + scale * (value - 0.25);
      for (double& value : example.centres) value *= scale;
      expect_right(example);
    }
  });
}

// One centre that single precision cannot hold must not make the others forgotten.
TEST(NearestCentres, AHugeCentreDoesNotHideOthers) {
  for_each_target([] {
    for (const double huge : {1e19, 3e19, 1e30, 1e39, 1e300}) {
      for (const double sign : {-1.0, 1.0}) {
        Example<double> example{
            5, {0.0, 0.25, 0.0, 0.0, 0.0}, std::vector<double>(48 * 5, 0.0), std::vector<double>(5, 0.0)};
        for (std::size_t k = 0; k < 48; ++k) example.centres[k * 5] = 10.0 + static_cast<double>(k);
        example.centres[0] = 1.0;
        example.centres[5] = 2.0;
        example.centres[16 * 5] = sign * huge;
        expect_right(example);
        EXPECT_EQ(example.find().n_doubtful(), 0U) << huge;
      }
    }
  });
}

TEST(NearestCentres, NotANumberIsInDoubt) {
  for_each_target([] {
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e39,
                               -std::numeric_limits<double>::infinity()}) {
      for (const std::size_t k : {1U, 2U, 17U}) {
        Example<double> example = random_example<double>(20, 5, k);
        example.rows[3 * 5 + 2] = value;
        const Found found = example.find();
        EXPECT_TRUE(found.is_doubtful[3]) << value;
        EXPECT_LT(static_cast<std::size_t>(found.nearest.nearest[3]), k);
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
