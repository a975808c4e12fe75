// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/seeding/kmeanspp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "coppice/data/row_draw.hpp"
#include "seeding/squared_masses.hpp"
#include "unit/seeding/seeding_examples.hpp"

namespace coppice::internal {
namespace {

double potential(const Seeded& seeded, const std::vector<std::size_t>& chosen) {
  double sum = 0.0;
  for (std::size_t row = 0; row < seeded.rows().size(); ++row) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::size_t centre : chosen) nearest = std::min(nearest, seeded.squared_distance(row, centre));
    sum += seeded.rows().weight(row) * nearest;
  }
  return sum;
}

// Weight times squared distance from the nearest, divided by the sum.
std::vector<double> law_by_hand(const Seeded& seeded, const std::vector<std::size_t>& chosen) {
  std::vector<double> law(seeded.rows().size());
  double sum = 0.0;
  for (std::size_t row = 0; row < law.size(); ++row) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::size_t centre : chosen) nearest = std::min(nearest, seeded.squared_distance(row, centre));
    law[row] = seeded.rows().weight(row) * (chosen.empty() ? 1.0 : nearest);
    sum += law[row];
  }
  for (double& probability : law) probability /= sum;
  return law;
}

TEST(SquaredDistanceLaw, IsThatOfTheGoldenCase) {
  Seeded seeded(golden_points());
  const std::vector<double> law = squared_distance_law(seeded.execution(), seeded.rows(), golden_chosen);
  const std::vector<double> expected = {
      0.0, 0.15211862310445956, 0.15282619123630967, 0.0, 0.17651968281115002, 0.13181736644570322, 0.3867181364023776};
  ASSERT_EQ(law.size(), expected.size());
  for (std::size_t row = 0; row < law.size(); ++row) EXPECT_NEAR(law[row], expected[row], 1e-11) << row;
}

TEST(SquaredDistanceLaw, IsThatByHand) {
  for (const std::size_t d : {1U, 2U, 5U, 17U}) {
    Seeded seeded(scattered_rows(6000, d, 4, d).with_weights(some_weights(6000, d)));
    for (const std::vector<std::size_t>& chosen : {std::vector<std::size_t>{}, {7}, {7, 4100, 90}}) {
      const std::vector<double> law = squared_distance_law(seeded.execution(), seeded.rows(), chosen);
      const std::vector<double> expected = law_by_hand(seeded, chosen);
      // A mass has 40 bits of the largest distance, less the 8 by which the unit may be too coarse.
      const double rounding = 0x1p-32 * std::ranges::max(expected);
      for (std::size_t row = 0; row < law.size(); ++row) ASSERT_NEAR(law[row], expected[row], rounding) << row;
    }
  }
}

// The largest distance falls by 10^16 from one centre to the next: masses must be summed in another unit.
TEST(SquaredDistanceLaw, KeepsItsDigitsWhenAnOutlierIsChosen) {
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < 1000; ++i) values[i] = static_cast<double>(i % 10) * 1e-3;
  values[500] = 1e5;
  Seeded seeded(Dataset::from_rows(values, 1000, 1));
  const std::vector<double> law =
      squared_distance_law(seeded.execution(), seeded.rows(), std::vector<std::size_t>{0, 500});
  const std::vector<double> expected = law_by_hand(seeded, {0, 500});
  for (std::size_t row = 0; row < law.size(); ++row) ASSERT_NEAR(law[row], expected[row], 1e-10) << row;
}

TEST(SquaredDistanceLaw, IsZeroIfNobodyIsAway) {
  Seeded seeded(Dataset::from_rows(std::vector<double>{1.0, 2.0, 1.0}, 3, 1));
  EXPECT_EQ(squared_distance_law(seeded.execution(), seeded.rows(), std::vector<std::size_t>{0, 1}),
            std::vector<double>(3, 0.0));
}

TEST(SquaredMasses, DrawsFollowTheLaw) {
  const std::vector<double> weights = {1.0, 2.5, 0.0, 1.0, 0.25, 4.0, 1.0};
  for (const bool is_weighted : {false, true}) {
    Seeded seeded(is_weighted ? golden_points().with_weights(weights) : golden_points());
    const SeedingTable table(seeded.execution(), seeded.rows());
    SquaredMasses masses(seeded.execution(), table);
    RandomStream random{5, Purpose::seeding};
    std::vector<std::size_t> chosen;
    for (const std::size_t next : {golden_chosen[0], golden_chosen[1], std::size_t{5}}) {  // none, one, two centres
      const std::vector<double> law = law_by_hand(seeded, chosen);
      std::vector<std::size_t> counts(7, 0);
      for (int i = 0; i < 200; ++i) {
        for (const std::size_t row : masses.draw(seeded.execution(), 100, random)) ++counts[row];
      }
      EXPECT_LT(chi_square(counts, law), chi_square_limit(law)) << chosen.size() << " centres";
      std::vector<double> point(2);
      table.copy_point(next, point);
      masses.add_centre(seeded.execution(), point);
      chosen.push_back(next);
    }
  }
}

// Pairs of centres over many seeds, against the product of the laws.
TEST(KmeansppRows, PlainPairsFollowTheLaw) {
  Seeded seeded(golden_points());
  std::vector<double> law;
  for (std::size_t first = 0; first < 7; ++first) {
    for (const double second : law_by_hand(seeded, {first})) law.push_back(second / 7.0);
  }
  std::vector<std::size_t> counts(49, 0);
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const std::vector<std::size_t> chosen = seeded.chosen(2, {.candidates = 1}, seed);
    ++counts[7 * chosen[0] + chosen[1]];
  }
  EXPECT_LT(chi_square(counts, law), chi_square_limit(law));
}

TEST(KmeansppRows, PotentialsAreThoseByHand) {
  for (const bool is_weighted : {false, true}) {
    const Dataset data = scattered_rows(5000, 3, 4, 13);
    Seeded seeded(is_weighted ? data.with_weights(some_weights(5000, 13)) : data);
    const SeedingTable table(seeded.execution(), seeded.rows());
    SquaredMasses masses(seeded.execution(), table);
    masses.add_centre(seeded.execution(), copy_points(seeded.rows(), std::vector<std::size_t>{3}));
    const std::vector<std::size_t> candidates = {3, 77, 1200, 4999, 2500};  // the first one changes nothing
    const std::vector<std::int64_t> potentials =
        masses.potentials(seeded.execution(), copy_points(seeded.rows(), candidates));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double ratio = static_cast<double>(potentials[i]) / static_cast<double>(potentials[0]);
      EXPECT_NEAR(ratio, potential(seeded, {3, candidates[i]}) / potential(seeded, {3}), 1e-9);
    }
  }
}

TEST(KmeansppRows, GreedyIsBetterInTheMean) {
  Seeded seeded(scattered_rows(2000, 2, 20, 14, 6.0));
  double plain = 0.0;
  double greedy = 0.0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    plain += potential(seeded, seeded.chosen(20, {.candidates = 1}, seed));
    greedy += potential(seeded, seeded.chosen(20, {}, seed));
  }
  EXPECT_LT(greedy, 0.95 * plain) << "a fifth less is usual";
}

// With very many candidates every row is among them, and the best row of all is kept.
TEST(KmeansppRows, GreedyKeepsTheBestCandidate) {
  Seeded seeded(scattered_rows(40, 2, 4, 15));
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const std::vector<std::size_t> chosen = seeded.chosen(2, {.candidates = 20000}, seed);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < 40; ++row) best = std::min(best, potential(seeded, {chosen[0], row}));
    EXPECT_NEAR(potential(seeded, chosen), best, 1e-9 * best);
  }
}

// The first centre is the heavy one in the middle; then the four corners are equally good, and all are candidates.
TEST(KmeansppRows, EqualCandidatesGoByContentOrder) {
  const std::vector<std::vector<double>> corners = {{1.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}, {-1.0, -1.0}};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<double> values = {0.0, 0.0};
    for (const std::size_t corner : shuffled_order(4, seed)) {
      values.insert(values.end(), corners[corner].begin(), corners[corner].end());
    }
    const Dataset data = Dataset::from_rows(values, 5, 2).with_weights({1e12, 1.0, 1.0, 1.0, 1.0});
    std::vector<std::size_t> rows = {1, 2, 3, 4};
    std::ranges::sort(rows, [&](std::size_t a, std::size_t b) { return content_less(data, a, b); });
    EXPECT_EQ(Seeded(data).chosen(2, {.candidates = 200}, seed), (std::vector<std::size_t>{0, rows[0]}));
  }
}

TEST(KmeansppRows, TheDefaultIsTwoAndTheLogarithm) {
  const std::vector<std::pair<std::size_t, std::size_t>> expected = {{0, 2}, {1, 2},  {2, 2},   {3, 3},
                                                                     {8, 4}, {20, 4}, {100, 6}, {1000, 8}};
  for (const auto& [k, n] : expected) EXPECT_EQ(default_candidates(k), n) << k;
  Seeded seeded(scattered_rows(2000, 2, 5, 16));
  EXPECT_EQ(seeded.chosen(10, {}), seeded.chosen(10, {.candidates = 4}));
  EXPECT_NE(seeded.chosen(10, {}), seeded.chosen(10, {.candidates = 1}));
}

}  // namespace
}  // namespace coppice::internal
