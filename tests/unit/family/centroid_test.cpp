// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/centroid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/family/adapter.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

using Labels = std::vector<std::int32_t>;

Stats stats_of(const Centroid& family, const Rows& rows, std::size_t first, std::size_t last, Weights weights = {}) {
  Stats stats(family.stats_size(), 0.0);
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t at = first; at < last; at += kernels::panel_rows) {
    RowBlock block(rows, at, std::min(kernels::panel_rows, last - at), buffer);
    family.add(stats, block, weights.empty() ? weights : weights.subspan(at, block.n_rows()));
  }
  return stats;
}
Stats stats_of(const Centroid& family, const Rows& rows, Weights weights = {}) {
  return stats_of(family, rows, 0, rows.size(), weights);
}

long double squared_distance(std::span<const double> a, std::span<const double> b) {
  long double sum = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<long double>(a[i]) - b[i], 2.0L);
  return sum;
}

std::vector<double> row_of(const Rows& rows, std::size_t i) {
  std::vector<double> row(rows.n_columns());
  rows.copy_row(i, row);
  return row;
}

// Statistics of n rows, in any order: every number is a sum of n terms.
void expect_same_stats(const Stats& a, const Stats& b, double n) {
  ASSERT_EQ(a.size(), b.size());
  const double size = std::sqrt(b.back() / b.front());
  EXPECT_NEAR(a.front(), b.front(), n * 0x1p-53 * b.front());
  for (std::size_t i = 1; i + 1 < a.size(); ++i) EXPECT_NEAR(a[i], b[i], n * 0x1p-53 * (size + std::abs(b[i])));
  EXPECT_NEAR(a.back(), b.back(), 4.0 * n * 0x1p-53 * b.back());
}

constexpr std::size_t column_counts[] = {1, 2, 5, 20};

TEST(Centroid, StatisticsAreWeightMeanAndSummedSquares) {
  for (const std::size_t d : column_counts) {
    const Rows rows = random_rows(600, d, d);
    const std::vector<double> weights = random_weights(600, d);
    Stats expected(d + 2, 0.0);
    std::vector<long double> mean(d, 0.0L);
    long double total = 0.0L;
    for (std::size_t i = 0; i < 600; ++i) {
      total += weights[i];
      for (std::size_t c = 0; c < d; ++c) mean[c] += static_cast<long double>(weights[i]) * row_of(rows, i)[c];
    }
    expected[0] = static_cast<double>(total);
    for (std::size_t c = 0; c < d; ++c) expected[1 + c] = static_cast<double>(mean[c] / total);
    long double scatter = 0.0L;
    for (std::size_t i = 0; i < 600; ++i) {
      scatter += weights[i] * squared_distance(row_of(rows, i), std::span(expected).subspan(1, d));
    }
    expected[1 + d] = static_cast<double>(scatter);
    expect_same_stats(stats_of(Centroid(d), rows, weights), expected, 600.0);
  }
}

TEST(Centroid, PartsMergeIntoTheWhole) {
  for (const std::size_t d : column_counts) {
    const Centroid family(d);
    const Rows rows = random_rows(500, d, 10 + d);
    Stats merged(family.stats_size(), 0.0);
    for (const auto& [first, last] : {std::pair{0U, 1U}, {1U, 300U}, {300U, 300U}, {300U, 500U}}) {
      family.merge(merged, stats_of(family, rows, first, last));
    }
    expect_same_stats(merged, stats_of(family, rows), 500.0);
  }
}

TEST(Centroid, NothingMergesWithoutATrace) {
  const Centroid family(3);
  const Stats nothing(family.stats_size(), 0.0);
  const Stats some = stats_of(family, random_rows(10, 3, 1));
  Stats stats = nothing;
  family.merge(stats, some);
  EXPECT_EQ(stats, some);
  family.merge(stats, nothing);
  EXPECT_EQ(stats, some);
}

TEST(Centroid, AWeightIsAsManyCopies) {
  for (const std::size_t d : column_counts) {
    std::vector<double> values = random_values(40 * d, 20 + d);
    std::vector<double> repeated;
    std::vector<double> weights;
    for (std::size_t i = 0; i < 40; ++i) {
      weights.push_back(static_cast<double>(i % 4));
      for (std::size_t copy = 0; copy < i % 4; ++copy) {
        repeated.insert(repeated.end(), values.begin() + static_cast<std::ptrdiff_t>(i * d),
                        values.begin() + static_cast<std::ptrdiff_t>((i + 1) * d));
      }
    }
    const Centroid family(d);
    expect_same_stats(stats_of(family, make_rows(values, d), weights), stats_of(family, make_rows(repeated, d)), 60.0);
  }
}

TEST(Centroid, CostsAreSquaredDistances) {
  for (const std::size_t d : column_counts) {
    const Centroid family(d);
    const Rows rows = random_rows(300, d, 30 + d);
    const Centroid::Posterior q{random_values(d, 31)};
    const auto costs = for_rows(rows, [&](RowBlock& block, double* out) { family.costs({&q, 1}, block, out); });
    const auto ranks = for_rows(rows, [&](RowBlock& block, double* out) {
      family.log_predictive({&q, 1}, block, out);
    });
    for (std::size_t i = 0; i < 300; ++i) {
      const auto expected = static_cast<double>(squared_distance(row_of(rows, i), q.m));
      const double rounding = static_cast<double>(d + 2) * 0x1p-53 * expected;
      ASSERT_NEAR(costs[i], expected, rounding);
      const ExactCost exact = family.exact_cost(q, row_of(rows, i));
      ASSERT_NEAR(exact.value, expected, rounding);
      ASSERT_EQ(exact.scale, exact.value);
      ASSERT_EQ(ranks[i], -costs[i]);
    }
  }
}

TEST(Centroid, ANodeCostsWhatItsRowsCost) {
  for (const std::size_t d : column_counts) {
    const Centroid family(d);
    const Rows rows = random_rows(300, d, 40 + d);
    const std::vector<double> weights = random_weights(300, d);
    const Stats stats = stats_of(family, rows, weights);
    const Centroid::Posterior q{random_values(d, 41)};
    long double expected = 0.0L;
    for (std::size_t i = 0; i < 300; ++i) expected += weights[i] * squared_distance(row_of(rows, i), q.m);
    const auto sum = static_cast<double>(expected);
    EXPECT_NEAR(family.node_cost(q, stats), sum, 300.0 * 0x1p-53 * sum);
  }
}

TEST(Centroid, AtTheMeanIsTheLeastAndMinusTheLogEvidence) {
  const Centroid family(3);
  const Stats stats = stats_of(family, random_rows(50, 3, 50));
  Centroid::Posterior q = family.posterior(stats);
  EXPECT_EQ(q.m, std::vector<double>(stats.begin() + 1, stats.begin() + 4));
  EXPECT_EQ(family.node_cost(q, stats), stats.back());
  EXPECT_EQ(family.log_evidence(stats), -stats.back());
  EXPECT_EQ(family.plug_in(q).m, q.m);
  EXPECT_EQ(family.kl_to_prior(q), 0.0);
  q.m[1] += 1e-3;
  EXPECT_GT(family.node_cost(q, stats), stats.back());
}

TEST(Centroid, AllColumnsHaveTheSameVariance) {
  const Centroid family(2);
  const Stats stats{4.0, 1.0, 2.0, 24.0};
  EXPECT_EQ(family.column_moments(stats).mean, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(family.column_moments(stats).variance, (std::vector<double>{3.0, 3.0}));
  EXPECT_EQ(family.split_axis(stats).direction, (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(family.split_axis(stats).variance, 3.0);
  EXPECT_EQ(family.column_moments(Stats(4, 0.0)).variance, (std::vector<double>{0.0, 0.0})) << "an empty cluster";
}

// The corners of a unit square, around 1e6, in single precision.
TEST(Centroid, FarFromTheOriginEveryDigitIsRight) {
  const Dataset data =
      Dataset::from_rows(std::vector<float>{1e6F, 1e6F, 1e6F, 1e6F + 1, 1e6F + 1, 1e6F, 1e6F + 1, 1e6F + 1}, 4, 2);
  LocalExecution local(1);
  const Rows rows(data, fixed_origin(local.get(), data));
  const Centroid family(2);
  const Stats all = stats_of(family, rows);
  EXPECT_EQ(all.back(), 2.0);
  EXPECT_EQ(all[1] + rows.origin()[0], 1e6 + 0.5);
  EXPECT_EQ(stats_of(family, rows, 0, 2).back(), 0.5);
  EXPECT_EQ(family.node_cost(family.posterior(stats_of(family, rows, 0, 2)), all), 0.5 + 2.5);
}

TEST(Centroid, GoesThroughArrays) {
  EXPECT_EQ(Centroid::from_arrays(Centroid(7).to_arrays()).n_columns(), 7U);
  EXPECT_THROW((void)Centroid::from_arrays({}), DataError);
  EXPECT_THROW((void)Centroid::from_arrays({{"n_columns", {{}, {0.0}}}}), DataError);
  EXPECT_THROW((void)Centroid::from_arrays({{"n_columns", {{2}, {3.0, 3.0}}}}), DataError);
}

TEST(CentreStatistics, AreSinglePoints) {
  const StatsArena stats = centre_statistics(std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, 3);
  EXPECT_EQ(stats.values(), (std::vector<double>{1.0, 1.0, 2.0, 3.0, 0.0, 1.0, 4.0, 5.0, 6.0, 0.0}));
}

// Rows and centres: on a lattice, so that many rows lie between centres; every centre twice, so that all of them do;
// and scaled, since there is no unit of measurement.
struct Shape {
  std::size_t n_columns;
  std::size_t k;         // of different centres
  std::size_t n_copies;  // of each
  double step;           // of the lattice; 0: none
  double scale = 1.0;
  bool is_float = false;
};
void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.n_columns << " columns, " << shape.k << " x " << shape.n_copies << " centres, step " << shape.step
       << ", scale " << shape.scale;
}

class CentroidNearest : public testing::TestWithParam<Shape> {
 protected:
  static constexpr std::size_t n_rows = 250;
  const std::size_t d = GetParam().n_columns;
  const Rows rows = make(n_rows, 1);
  const Rows centres = make(GetParam().k, 2);
  const std::size_t k = GetParam().n_copies * GetParam().k;
  FamilyAdapter<Centroid> clusters{Centroid(d)};

  CentroidNearest() {
    std::vector<double> values;
    for (std::size_t c = 0; c < k; ++c) {
      const std::vector<double> centre = row_of(centres, c % GetParam().k);
      values.insert(values.end(), centre.begin(), centre.end());
    }
    clusters.update(centre_statistics(values, d));
  }

  static Rows make(std::size_t n, std::uint64_t seed) {
    const Shape& shape = GetParam();
    std::vector<double> values = random_values(n * shape.n_columns, 100 * seed + shape.n_columns);
    for (double& value : values) {
      value = shape.scale * (shape.step > 0.0 ? shape.step * std::round(value / shape.step) : value);
    }
    if (!shape.is_float) return make_rows(std::move(values), shape.n_columns);
    return Rows(Dataset::from_rows(std::vector<float>(values.begin(), values.end()), n, shape.n_columns),
                std::vector<double>(shape.n_columns, 0.0));
  }

  [[nodiscard]] Labels nearest(const Labels& candidates, const Labels& present) const {
    Labels labels(n_rows, -5);
    BlockBuffer buffer(d);
    RowBlock block(rows, 0, n_rows, buffer);
    NearestWorkspace workspace;
    clusters.nearest(std::vector<double>(k, 0.0), candidates, block,
                     {[&](std::size_t row) { return present.empty() ? -1 : present[row]; }, labels}, workspace);
    return labels;
  }

  // The rule in long doubles: of all that tie with the nearest one, the present label, else the smallest.
  [[nodiscard]] std::int32_t brute_force(std::size_t row, Labels candidates, std::int32_t present) const {
    const std::vector<double> x = row_of(rows, row);
    const auto distance = [&](std::int32_t c) {
      return squared_distance(x, row_of(centres, static_cast<std::size_t>(c) % GetParam().k));
    };
    const long double best = distance(*std::ranges::min_element(candidates, {}, distance));
    std::erase_if(candidates, [&](std::int32_t c) {
      return distance(c) - best > static_cast<long double>(tie_band) * 2.0L * (distance(c) + best);
    });
    if (std::ranges::find(candidates, present) != candidates.end()) return present;
    return *std::ranges::min_element(candidates);
  }

  void expect_right(const Labels& candidates, const Labels& present) const {
    Labels competing = candidates;
    if (competing.empty()) {
      competing.resize(k);
      std::iota(competing.begin(), competing.end(), 0);
    }
    const Labels labels = nearest(candidates, present);
    for (std::size_t row = 0; row < n_rows; ++row) {
      ASSERT_EQ(labels[row], brute_force(row, competing, present.empty() ? -1 : present[row])) << "row " << row;
    }
  }

  [[nodiscard]] Labels random_present() const {
    RandomStream random{k, Purpose::test, 30};
    Labels labels(n_rows);
    for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(k + 1)) - 1;
    return labels;
  }
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const std::size_t d : {2U, 5U, 20U}) {
    for (const std::size_t k : {1U, 8U, 50U}) {
      for (const double step : {0.0, 1.0}) {
        for (const std::size_t n_copies : {1U, 2U}) {
          all.push_back({d, k, n_copies, step});
          all.push_back({d, k, n_copies, step, 1.0, true});
          all.push_back({d, k, n_copies, step, 0x1p-40});
          all.push_back({d, k, n_copies, step, 0x1p40});
        }
      }
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Shapes, CentroidNearest, testing::ValuesIn(shapes()));

TEST_P(CentroidNearest, EqualsBruteForce) { expect_right({}, {}); }

TEST_P(CentroidNearest, TiesKeepThePresentLabel) {
  expect_right({}, random_present());
  if (GetParam().n_copies == 1) return;
  Labels twins = nearest({}, {});
  for (std::int32_t& label : twins) label += static_cast<std::int32_t>(k / 2);
  EXPECT_EQ(nearest({}, twins), twins) << "the copy of the nearest centre is as near";
}

TEST_P(CentroidNearest, OnlyCandidatesCompete) {
  Labels every_third;
  for (std::int32_t c = static_cast<std::int32_t>(k) - 1; c >= 0; c -= 3) every_third.push_back(c);
  expect_right(every_third, random_present());
}

// A row exactly between two centres stays where it is, whatever the unit.
TEST(Centroid, TheMiddleBelongsToWhoHasIt) {
  for (const std::size_t d : {2U, 5U, 20U}) {
    for (const double scale : {1.0, 1e-12, 1e12}) {
      std::vector<double> centres(2 * d, 0.0);
      centres[d] = 2.0 * scale;
      FamilyAdapter<Centroid> clusters{Centroid(d)};
      clusters.update(centre_statistics(centres, d));
      std::vector<double> values(3 * d, 0.0);  // in the middle, and on either side
      values[0] = scale;
      values[d] = (1.0 - 1e-9) * scale;
      values[2 * d] = (1.0 + 1e-9) * scale;
      const Rows rows = make_rows(values, d);
      for (const std::int32_t present : {0, 1}) {
        Labels labels(3, -1);
        BlockBuffer buffer(d);
        RowBlock block(rows, 0, 3, buffer);
        NearestWorkspace workspace;
        clusters.nearest(std::vector<double>{0.0, 0.0}, {}, block, {[&](std::size_t) { return present; }, labels},
                         workspace);
        EXPECT_EQ(labels, (Labels{present, 0, 1})) << d << " columns, scale " << scale;
      }
    }
  }
}

// Boxes about random places: whoever wins or ties at one of their points is left.
TEST(Centroid, ABoxTestNeverDropsWhoIsWanted) {
  RandomStream random{60, Purpose::test};
  std::size_t n_dropped = 0;
  for (const std::size_t d : {1U, 2U, 5U}) {
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      constexpr std::size_t k = 20;
      const std::vector<double> centres = random_values(k * d, 200 + trial);
      FamilyAdapter<Centroid> clusters{Centroid(d)};
      clusters.update(centre_statistics(centres, d));
      std::vector<double> low = random_values(d, 300 + trial);
      std::vector<double> high = low;
      for (double& value : high) value += random.uniform();
      Labels left(k);
      std::iota(left.begin(), left.end(), 0);
      std::vector<double> scratch;
      kernels::ContestedBox contested{low.data(), high.data(), left.data(), left.size()};
      clusters.box_test(std::vector<double>(k, 0.0))->prune({&contested, 1}, 0.0, scratch);
      left.resize(contested.n);
      n_dropped += k - left.size();
      for (int point = 0; point < 30; ++point) {
        std::vector<double> x(d);
        for (std::size_t c = 0; c < d; ++c) x[c] = point < 15 && random.below(2) == 0 ? low[c] : high[c];
        if (point >= 15) {
          for (std::size_t c = 0; c < d; ++c) x[c] = random.uniform(low[c], high[c]);
        }
        const auto distance = [&](std::size_t c) { return squared_distance(x, std::span(centres).subspan(c * d, d)); };
        std::size_t best = 0;
        for (std::size_t c = 1; c < k; ++c) best = distance(c) < distance(best) ? c : best;
        ASSERT_EQ(std::ranges::count(left, static_cast<std::int32_t>(best)), 1);
      }
    }
  }
  EXPECT_GT(n_dropped, 1000U);  // of 3000
}

}  // namespace
}  // namespace coppice::internal
