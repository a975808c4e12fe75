// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/seeding/afk_mc2.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "coppice/seeding/kmeanspp.hpp"
#include "seeding/afk_chain.hpp"
#include "unit/seeding/seeding_examples.hpp"

namespace coppice::internal {
namespace {

// The exact law of chains over a small table, with what is needed to run them.
class Chains {
 public:
  Chains(const Dataset& data, const std::vector<std::size_t>& chosen)
      : seeded_(data),
        table_(seeded_.execution(), seeded_.rows()),
        proposal_(seeded_.execution(), table_, ContentOrder(seeded_.execution(), table_), chosen.front()),
        chain_(table_, proposal_),
        centres_(copy_points(seeded_.rows(), chosen)) {
    const std::vector<double> law = squared_distance_law(seeded_.execution(), seeded_.rows(), chosen);
    const std::vector<double> proposed = afk_proposal(seeded_.execution(), seeded_.rows(), chosen.front());
    for (std::size_t row = 0; row < law.size(); ++row) states_.push_back({law[row], proposed[row]});
  }

  [[nodiscard]] std::vector<double> law(std::size_t length) const { return chain_law(states_, length); }
  [[nodiscard]] AfkChain::End run(std::size_t length, RandomStream& random) {
    return chain_.run(seeded_.execution(), centres_, length, random);
  }
  [[nodiscard]] std::vector<std::size_t> counts(std::size_t length, std::size_t n_chains, std::uint64_t seed) {
    RandomStream random{seed, Purpose::seeding};
    std::vector<std::size_t> counts(states_.size(), 0);
    for (std::size_t i = 0; i < n_chains; ++i) ++counts[run(length, random).row];
    return counts;
  }

 private:
  Seeded seeded_;
  SeedingTable table_;
  AfkProposal proposal_;
  AfkChain chain_;
  std::vector<double> centres_;
  std::vector<ChainState> states_;
};

TEST(AfkProposal, IsThatOfTheGoldenCase) {
  Seeded seeded(golden_points());
  const std::vector<double> proposal = afk_proposal(seeded.execution(), seeded.rows(), golden_chosen.front());
  const std::vector<double> expected = {0.09676265215541886, 0.14434313811447186, 0.16741793312313186,
                                        0.07142857142857142, 0.18734280563387415, 0.16539014774118968,
                                        0.16731475180334215};
  ASSERT_EQ(proposal.size(), expected.size());
  for (std::size_t row = 0; row < proposal.size(); ++row) EXPECT_NEAR(proposal[row], expected[row], 1e-11) << row;
}

TEST(AfkProposal, CountsWeightsAsCopies) {
  const std::vector<double> weights = {2, 0, 1, 3, 1, 0, 2};
  Seeded seeded(golden_points().with_weights(weights));
  const std::vector<double> proposal = afk_proposal(seeded.execution(), seeded.rows(), 3);
  double sum = 0.0;
  for (std::size_t row = 0; row < 7; ++row) sum += weights[row] * seeded.squared_distance(row, 3);
  for (std::size_t row = 0; row < 7; ++row) {
    const double expected = weights[row] * (seeded.squared_distance(row, 3) / (2.0 * sum) + 1.0 / (2.0 * 9.0));
    EXPECT_NEAR(proposal[row], expected, 1e-11) << row;
  }
}

TEST(AfkProposal, IsUniformIfAllRowsAreEqual) {
  Seeded seeded(Dataset::from_rows(std::vector<double>(4, 2.0), 4, 1));
  EXPECT_EQ(afk_proposal(seeded.execution(), seeded.rows(), 1), std::vector<double>(4, 0.25));
}

TEST(Acceptance, IsTheMetropolisHastingsRule) {
  EXPECT_DOUBLE_EQ(acceptance({2.0, 0.3}, {1.0, 0.3}), 0.5);
  EXPECT_DOUBLE_EQ(acceptance({2.0, 0.3}, {1.0, 0.6}), 0.25);
  EXPECT_EQ(acceptance({1.0, 0.3}, {2.0, 0.3}), 1.0);
  EXPECT_EQ(acceptance({1.0, 0.3}, {0.0, 0.3}), 0.0) << "never back to a centre";
  EXPECT_EQ(acceptance({0.0, 0.3}, {1.0, 0.3}), 1.0) << "always away from a centre";
  EXPECT_EQ(acceptance({0.0, 0.3}, {0.0, 0.3}), 1.0);
}

TEST(ChainLaw, IsThatOfTheGoldenCase) {
  const Chains chains(golden_points(), golden_chosen);
  const std::vector<double> expected = {7.743210817970071e-05, 0.1575111985927966,  0.15850625368683688,
                                        5.715908717647614e-05, 0.18303755473121705, 0.13682430759130318,
                                        0.3639860942024901};
  const std::vector<double> law = chains.law(5);
  for (std::size_t row = 0; row < law.size(); ++row) EXPECT_NEAR(law[row], expected[row], 1e-11) << row;
}

TEST(ChainLaw, ApproachesTheSquaredDistanceLaw) {
  Seeded seeded(golden_points());
  const std::vector<double> limit = squared_distance_law(seeded.execution(), seeded.rows(), golden_chosen);
  const std::vector<double> law = Chains(golden_points(), golden_chosen).law(200);
  EXPECT_NEAR(std::accumulate(law.begin(), law.end(), 0.0), 1.0, 1e-12);
  for (std::size_t row = 0; row < law.size(); ++row) EXPECT_NEAR(law[row], limit[row], 1e-12) << row;
}

TEST(AfkChain, EndsByTheLaw) {
  for (const std::size_t length : {1U, 2U, 5U}) {
    Chains chains(golden_points(), golden_chosen);
    EXPECT_LT(chi_square(chains.counts(length, 20000, length), chains.law(length)),
              chi_square_limit(chains.law(length)))
        << length;
  }
}

TEST(AfkChain, EndsByTheLawOfWeightedRows) {
  const Dataset data = golden_points().with_weights({1.5, 0.25, 0.0, 2.0, 1.0, 3.0, 0.5});
  for (const std::size_t length : {1U, 3U}) {
    Chains chains(data, {3, 5});
    EXPECT_LT(chi_square(chains.counts(length, 20000, length), chains.law(length)),
              chi_square_limit(chains.law(length)))
        << length;
  }
}

// The proposal goes by the first centre, however many follow: one at the left, 69 light ones at the right, and a few
// rows between them.
TEST(AfkChain, EndsByTheLawOfManyCentres) {
  std::vector<double> values = {-10.0};
  for (std::size_t i = 1; i < 70; ++i) values.push_back(10.0 + 0.01 * static_cast<double>(i));
  values.insert(values.end(), {-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0});
  std::vector<double> weights(values.size(), 1.0);
  std::fill(weights.begin() + 1, weights.begin() + 70, 0.05);
  std::vector<std::size_t> chosen(70);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  Chains chains(Dataset::from_rows(values, values.size(), 1).with_weights(weights), chosen);
  EXPECT_LT(chi_square(chains.counts(3, 40000, 1), chains.law(3)), chi_square_limit(chains.law(3)));
}

// More than 64 centres and more than 256 states: the nearest centre is found across tiles and panels.
TEST(AfkChain, KnowsTheNearestOfManyCentres) {
  const Dataset data = scattered_rows(3000, 2, 5, 20);
  std::vector<std::size_t> chosen(150);
  std::iota(chosen.begin(), chosen.end(), std::size_t{40});
  Chains chains(data, chosen);
  const Seeded seeded(data);
  RandomStream random{1, Purpose::seeding};
  for (int i = 0; i < 20; ++i) {
    const AfkChain::End end = chains.run(400, random);
    double nearest = INFINITY;
    for (const std::size_t centre : chosen) nearest = std::min(nearest, seeded.squared_distance(end.row, centre));
    EXPECT_NEAR(end.squared, nearest, 1e-12 * nearest);
  }
}

// Nearly all rows are copies of one, and chains of one state mostly end there: the D^2 law steps in.
TEST(AfkMc2Rows, DrawsExactlyWhereAChainEndsAtACentre) {
  std::vector<double> values(5000, 1.0);
  for (std::size_t i = 0; i < 6; ++i) values[700 * i] = 2.0 + static_cast<double>(i);
  Seeded seeded(Dataset::from_rows(values, 5000, 1));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SeedingOptions options{.rule = SeedingRule::afk_mc2, .chain_length = 1};
    EXPECT_EQ(seeded.chosen(7, options, seed).size(), 7U);
    EXPECT_EQ(seeded.chosen(9, options, seed).size(), 7U);
  }
}

}  // namespace
}  // namespace coppice::internal
