// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/near_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/assign/naive.hpp"
#include "coppice/family/centroid.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;

double squared_distance(std::span<const double> points, std::size_t d, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) sum += std::pow(points[a * d + i] - points[b * d + i], 2.0);
  return sum;
}

TEST(NearestPoints, AreThoseOfAllComparisons) {
  LocalExecution local(2);
  for (const std::size_t d : {1U, 2U, 5U}) {
    const Dataset data = scattered_rows(300, d, 6, d);
    const std::vector<double> points(data.doubles().begin(), data.doubles().end());
    const Neighbours nearest = nearest_points(local.get(), points, d, 7);
    ASSERT_EQ(nearest.size(), 300U);
    for (std::size_t a = 0; a < 300; ++a) {
      std::vector<std::uint32_t> others(300);
      std::iota(others.begin(), others.end(), 0U);
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
      std::ranges::stable_sort(others, {}, [&](std::size_t b) { return squared_distance(points, d, a, b); });
      others.resize(7);
      EXPECT_EQ(nearest[a], others);
    }
  }
}

// 0.1 + 0.2 and 0.3 differ in the last bit alone.
TEST(NearestPoints, TiesGoToTheSmallerNumberWhateverTheLastBits) {
  LocalExecution local(1);
  const std::vector<double> points = {0.0, 0.3, -(0.1 + 0.2), 0.1 + 0.2, 5.0};
  EXPECT_EQ(nearest_points(local.get(), points, 1, 2)[0], (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(nearest_points(local.get(), points, 1, 3)[0], (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(NearestPoints, FewPointsHaveFewNeighbours) {
  LocalExecution local(1);
  EXPECT_EQ(nearest_points(local.get(), std::vector<double>{1.0}, 1, 3), Neighbours{{}});
  EXPECT_EQ(nearest_points(local.get(), std::vector<double>{1.0, 1.0}, 1, 3), (Neighbours{{1}, {0}}));
}

// A column in units a thousand times as small counts as much.
TEST(NearestClusters, UnitsOfColumnsDoNotMatter) {
  const Dataset data = scattered_rows(400, 2, 8, 3);
  std::vector<double> scaled(data.doubles().begin(), data.doubles().end());
  for (std::size_t i = 0; i < scaled.size(); i += 2) scaled[i] *= 1024.0;
  const std::vector<std::int32_t> labels = random_labels(400, 40, 3);
  Neighbours found[2];
  for (const bool is_scaled : {false, true}) {
    ClusteringProblem test(is_scaled ? Dataset::from_rows(scaled, 400, 2) : data, make_dirichlet(2.0));
    const State state = test.me().from_labels(labels);
    found[is_scaled ? 1 : 0] = nearest_clusters(test.execution(), test.components(), state.stats, 5);
  }
  EXPECT_EQ(found[0], found[1]);
}

// Clusters far apart in groups: whoever is in the same group is near, in many columns, too.
TEST(NearestClusters, OfManyColumnsAreFoundInFewerSums) {
  constexpr std::size_t d = 300;
  RandomStream random{5, Purpose::test, 1};
  std::vector<double> centres(4 * d);
  for (double& value : centres) value = random.normal();
  std::vector<double> values;
  for (std::size_t row = 0; row < 40; ++row) {
    for (std::size_t i = 0; i < d; ++i) values.push_back(centres[row % 4 * d + i] + 0.1 * random.normal());
  }
  const FamilyAdapter<Centroid> components{Centroid(d)};
  LocalExecution local(1);
  const Rows rows(Dataset::from_rows(values, 40, d), std::vector<double>(d, 0.0));
  std::vector<std::int32_t> each(40);
  std::iota(each.begin(), each.end(), 0);
  const Units units(rows);
  const StatsArena stats = statistics_of_list(local.get(), Subset(units), components, each, 40);
  const Neighbours nearest = nearest_clusters(local.get(), components, stats, 9);
  for (std::size_t a = 0; a < 40; ++a) {
    for (const std::uint32_t b : nearest[a]) EXPECT_EQ(b % 4, a % 4);
  }
}

}  // namespace
}  // namespace coppice::internal
