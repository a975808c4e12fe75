// SPDX-License-Identifier: BSD-3-Clause
// Who is nearest: the fast search of FamilyAdapter against a plain one, where ties abound.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/family/adapter.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

using Labels = std::vector<std::int32_t>;

Gaussian centred_family(std::size_t d) {
  NormalWishart prior = random_prior(d, 3);
  std::ranges::fill(prior.m0, 0.0);
  return Gaussian(std::move(prior));
}

// Clusters in mirrored pairs 2c, 2c + 1 (equal costs at the origin and wherever the mirror is); each pair comes once
// more at the end, so that equal clusters lie in different tiles.
StatsArena mirrored_clusters(const Gaussian& family, std::size_t n_pairs) {
  const std::size_t d = family.n_columns();
  StatsArena once(0, family.stats_size());
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    Stats stats = stats_of(family, random_rows(6, d, 100 + pair));
    once.append(stats);
    for (std::size_t c = 0; c < d; ++c) stats[1 + c] = -stats[1 + c];
    once.append(stats);
  }
  StatsArena twice = once;
  for (std::size_t c = 0; c < once.size(); ++c) twice.append(once[c]);
  return twice;
}

// Random rows with copies and mirror images of some, and the origin.
Rows tied_rows(std::size_t n, std::size_t d) {
  std::vector<double> values = random_values(n * d, 77);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t c = 0; c < d; ++c) {
      if (row % 7 == 0) values[row * d + c] = 0.0;
      if (row % 7 == 3) values[row * d + c] = values[(row - 1) * d + c];
      if (row % 7 == 5) values[row * d + c] = -values[(row - 1) * d + c];
    }
  }
  return make_rows(std::move(values), d);
}

// Example: rows and clusters, with offsets that keep the pairs tied.
struct Shape {
  std::size_t n_columns;
  std::size_t n_pairs;
};

class NearestTest : public testing::TestWithParam<Shape> {
 protected:
  const std::size_t d = GetParam().n_columns;
  static constexpr std::size_t n_rows = 200;
  const Gaussian family = centred_family(d);
  const StatsArena stats = mirrored_clusters(family, GetParam().n_pairs);
  const Rows rows = tied_rows(n_rows, d);
  FamilyAdapter<Gaussian> clusters{family};
  std::vector<Gaussian::Posterior> posteriors;
  std::vector<double> offsets;

  NearestTest() {
    clusters.update(stats);
    for (std::size_t c = 0; c < stats.size(); ++c) {
      posteriors.push_back(family.posterior(stats[c]));
      offsets.push_back(0.25 * static_cast<double>(c % (stats.size() / 2) / 2));
    }
  }

  [[nodiscard]] ExactCost cost(std::size_t row, std::int32_t c) const {
    std::vector<double> x(d);
    rows.copy_row(row, x);
    ExactCost result = family.exact_cost(posteriors[static_cast<std::size_t>(c)], x);
    result.value += offsets[static_cast<std::size_t>(c)];
    return result;
  }

  // The rule, word for word: among all that tie with the cheapest, the present label, else the smallest.
  [[nodiscard]] std::int32_t brute_force(std::size_t row, Labels candidates, std::int32_t present) const {
    const auto cheapest = *std::ranges::min_element(candidates, {}, [&](std::int32_t c) { return cost(row, c).value; });
    std::erase_if(candidates, [&](std::int32_t c) { return !is_tie(cost(row, c), cost(row, cheapest)); });
    if (std::ranges::find(candidates, present) != candidates.end()) return present;
    return *std::ranges::min_element(candidates);
  }

  [[nodiscard]] Labels everyone() const { return everyone_from(0); }
  [[nodiscard]] Labels everyone_from(std::int32_t first) const {
    Labels all(stats.size() - static_cast<std::size_t>(first));
    std::iota(all.begin(), all.end(), first);
    return all;
  }

  Labels nearest(const Labels& candidates, const Labels& present) {
    Labels labels(n_rows, -5);
    BlockBuffer buffer(d);
    RowBlock block(rows, 0, n_rows, buffer);
    NearestWorkspace workspace;
    clusters.nearest(offsets, candidates, block,
                     {[&](std::size_t row) { return present.empty() ? -1 : present[row]; }, labels}, workspace);
    return labels;
  }

  void check(const Labels& candidates, const Labels& present) {
    const Labels labels = nearest(candidates, present);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const Labels competing = candidates.empty() ? everyone() : candidates;
      ASSERT_EQ(labels[row], brute_force(row, competing, present.empty() ? -1 : present[row])) << row;
    }
  }

  [[nodiscard]] Labels random_labels(std::uint64_t seed) const {
    RandomStream random{seed, Purpose::test};
    Labels labels(n_rows);
    for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(stats.size() + 1)) - 1;
    return labels;
  }
};
// Few columns have a kernel of their own; others go tile by tile: 4 clusters, 64 (one full tile), 68 and 200.
INSTANTIATE_TEST_SUITE_P(FewColumns, NearestTest, testing::Values(Shape{1, 2}, Shape{3, 1}, Shape{3, 50}));
INSTANTIATE_TEST_SUITE_P(Tiles, NearestTest, testing::Values(Shape{5, 1}, Shape{5, 16}, Shape{5, 17}, Shape{5, 50}));

TEST_P(NearestTest, WithoutPresentLabels) { check({}, {}); }

TEST_P(NearestTest, NobodyIsThereYet) { check({}, Labels(n_rows, -1)); }

TEST_P(NearestTest, WithPresentLabels) { check({}, random_labels(1)); }

TEST_P(NearestTest, ItsOwnAnswerIsKept) {
  const Labels once = nearest({}, random_labels(2));
  EXPECT_EQ(nearest({}, once), once);
}

TEST_P(NearestTest, OnlyCandidatesCompete) {
  const auto k = static_cast<std::int32_t>(stats.size());
  Labels odd;
  for (std::int32_t c = 1; c < k; c += 2) odd.push_back(c);
  check(odd, random_labels(3));
  check({odd.rbegin(), odd.rend()}, random_labels(4));
  check({k - 1}, random_labels(5));
  check({k - 1, 0, k / 2}, random_labels(6));
}

// Ties exist, so that the tests above mean something: the second half of the clusters repeats the first, and whoever is
// there stays there.
TEST_P(NearestTest, TheExampleIsFullOfTies) {
  const auto half = static_cast<std::int32_t>(stats.size() / 2);
  Labels labels = nearest({}, {});
  for (std::int32_t& label : labels) {
    EXPECT_LT(label, half);
    label += half;
  }
  EXPECT_EQ(nearest({}, labels), labels);
  EXPECT_TRUE(is_tie(cost(0, 0), cost(0, 1)));  // row 0 is the origin
}

// As under the Dirichlet process for an empty cluster: nobody joins it, and nobody stays.
TEST_P(NearestTest, AnInfiniteOffsetNeverWins) {
  offsets[0] = std::numeric_limits<double>::infinity();
  for (const Labels& present : {Labels{}, Labels(n_rows, 0)}) {
    const Labels labels = nearest({}, present);
    EXPECT_EQ(std::ranges::count(labels, 0), 0);
  }
}

// A summary goes to the cluster of least mean cost, by the same rule.
TEST_P(NearestTest, NodesFollowTheRule) {
  const auto k = static_cast<std::int32_t>(stats.size());
  for (std::size_t row = 0; row + 4 < n_rows; row += 9) {
    const Stats node = stats_of(family, rows, row, row + 4);
    const auto cost_of = [&](std::int32_t c) {
      const auto cluster = static_cast<std::size_t>(c);
      return family.node_cost(posteriors[cluster], node) + node[0] * offsets[cluster];
    };
    const Components::NodeLabel found = clusters.nearest_node(offsets, {}, node, -1);
    double least = cost_of(0);
    for (std::int32_t c = 1; c < k; ++c) least = std::min(least, cost_of(c));
    EXPECT_NEAR(found.cost, least, 1e-9 * (1.0 + std::abs(least)));
    const std::int32_t twin = found.label + k / 2;
    EXPECT_LT(found.label, k / 2);                                          // the first of two equal ones
    EXPECT_EQ(clusters.nearest_node(offsets, {}, node, twin).label, twin);  // the present one
    EXPECT_EQ(clusters.nearest_node(offsets, everyone(), node, twin).label, twin);
    const Labels second_half = everyone_from(k / 2);
    EXPECT_EQ(clusters.nearest_node(offsets, second_half, node, -1).label, twin) << "only candidates compete";
    EXPECT_EQ(clusters.nearest_node(offsets, second_half, node, found.label).label, twin);
  }
}

// Ties are judged by the mean cost: neither a heavy node nor a light one has a band of another width.
TEST_P(NearestTest, TiesOfNodesDoNotDependOnTheirWeight) {
  const auto half = static_cast<std::int32_t>(stats.size() / 2);
  for (const double factor : {1e-3, 1.0, 1e6}) {
    Stats node = stats_of(family, rows, 1, 5);
    for (std::size_t i = 0; i < node.size(); ++i) node[i] *= i < 1 || i > d ? factor : 1.0;  // all but the mean
    const Components::NodeLabel found = clusters.nearest_node(offsets, {}, node, -1);
    const auto cluster = static_cast<std::size_t>(found.label);
    const double mean_cost = family.node_cost(posteriors[cluster], node) / node[0];
    const double value = mean_cost + offsets[cluster];
    EXPECT_NEAR(found.cost, node[0] * value, 1e-12 * node[0] * std::abs(value));
    const double band = tie_band * (1.0 + 2.0 * std::abs(value) + 2.0 * std::abs(mean_cost));
    std::vector<double> dearer = offsets;
    dearer[cluster] += 0.25 * band;
    EXPECT_EQ(clusters.nearest_node(dearer, {}, node, -1).label, found.label) << factor;
    dearer[cluster] += 4.0 * band;
    EXPECT_EQ(clusters.nearest_node(dearer, {}, node, -1).label, found.label + half) << factor;
  }
}

}  // namespace
}  // namespace coppice::internal
