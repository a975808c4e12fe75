// SPDX-License-Identifier: BSD-3-Clause
// Which clusters are out of the question for a box: never one that is wanted somewhere inside.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/family/adapter.hpp"
#include "coppice/kernels/moments.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

using Candidates = std::vector<std::int32_t>;
using Point = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Clusters with their offsets, and the exact costs that pruning has to respect.
struct Clusters {
  Clusters(const Gaussian& family, const StatsArena& stats, std::vector<double> given_offsets)
      : components(family), offsets(std::move(given_offsets)) {
    components.update(stats);
    for (std::size_t c = 0; c < stats.size(); ++c) posteriors.push_back(family.posterior(stats[c]));
  }

  [[nodiscard]] Candidates everyone() const {
    Candidates all(offsets.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  [[nodiscard]] ExactCost cost(std::int32_t c, const Point& x) const {
    ExactCost cost = components.get().exact_cost(posteriors[static_cast<std::size_t>(c)], x);
    cost.value += offsets[static_cast<std::size_t>(c)];
    return cost;
  }
  [[nodiscard]] Candidates prune(const Box& box, Candidates candidates, double lead = 0.0) const {
    std::vector<double> scratch;
    kernels::ContestedBox contested{box.low.data(), box.high.data(), candidates.data(), candidates.size()};
    components.box_test(offsets)->prune({&contested, 1}, lead, scratch);
    candidates.resize(contested.n);
    return candidates;
  }

  FamilyAdapter<Gaussian> components;
  std::vector<double> offsets;
  std::vector<Gaussian::Posterior> posteriors;
};

// K clusters of 4 to 20 rows about centres that are `spread` apart, some of them narrow.
Clusters random_clusters(std::size_t d, std::size_t k, double spread, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 50};
  const Gaussian family(random_prior(d, seed));
  StatsArena stats(0, family.stats_size());
  std::vector<double> offsets;
  for (std::size_t c = 0; c < k; ++c) {
    std::vector<double> values = random_values((4 + random.below(17)) * d, 1000 * seed + c, random.uniform(0.1, 2.0));
    for (std::size_t column = 0; column < d; ++column) {
      const double centre = spread * random.normal();
      for (std::size_t i = column; i < values.size(); i += d) values[i] += centre;
    }
    stats.append(stats_of(family, make_rows(std::move(values), d)));
    offsets.push_back(random.uniform(0.0, 3.0));
  }
  return {family, stats, std::move(offsets)};
}

struct OwnedBox {
  Point low;
  Point high;
  [[nodiscard]] Box view() const { return {low, high}; }
};

// Of any size, every fourth side without width, on the average.
OwnedBox random_box(std::size_t d, double spread, RandomStream& random) {
  OwnedBox box{Point(d), Point(d)};
  const double size = std::exp(random.uniform(-5.0, 2.0));
  for (std::size_t i = 0; i < d; ++i) {
    box.low[i] = box.high[i] = spread * random.normal();
    if (random.below(4) != 0) box.high[i] += size * random.uniform();
  }
  return box;
}

// The centre, all vertices, and points in between.
std::vector<Point> points_of(const OwnedBox& box, std::size_t n_inside, RandomStream& random) {
  const std::size_t d = box.low.size();
  std::vector<Point> points;
  const auto add = [&](const auto& share) {
    Point x(d);
    for (std::size_t i = 0; i < d; ++i) {
      const double s = share(i);
      x[i] = s == 1.0 ? box.high[i] : box.low[i] + s * (box.high[i] - box.low[i]);
    }
    points.push_back(std::move(x));
  };
  add([](std::size_t) { return 0.5; });
  for (std::size_t vertex = 0; vertex < std::size_t{1} << d; ++vertex) {
    add([&](std::size_t i) { return static_cast<double>((vertex >> i) & 1U); });
  }
  for (std::size_t point = 0; point < n_inside; ++point) add([&](std::size_t) { return random.uniform(); });
  return points;
}

bool has(const Candidates& candidates, std::int32_t c) { return std::ranges::find(candidates, c) != candidates.end(); }

// Whoever is best among the candidates at a point, ties with the best or lies within `lead` of it must be left.
void expect_all_wanted(const Clusters& clusters, const Candidates& candidates, const Candidates& left,
                       const std::vector<Point>& points, double lead = 0.0) {
  for (const Point& x : points) {
    ExactCost best{infinity, 0.0};
    for (const std::int32_t c : candidates) {
      if (clusters.cost(c, x).value < best.value) best = clusters.cost(c, x);
    }
    for (const std::int32_t c : candidates) {
      const ExactCost cost = clusters.cost(c, x);
      const bool is_wanted = is_tie(cost, best) || cost.value <= best.value + lead;
      ASSERT_TRUE(!is_wanted || has(left, c)) << "cluster " << c;
    }
  }
}

// Both lists in the order of the first.
bool is_subsequence(const Candidates& part, const Candidates& of) {
  auto at = of.begin();
  return std::ranges::all_of(part, [&](std::int32_t c) {
    at = std::find(at, of.end(), c);
    return at != of.end() && *at++ == c;
  });
}

void shuffle(Candidates& candidates, RandomStream& random) {
  for (std::size_t i = candidates.size(); i > 1; --i) std::swap(candidates[i - 1], candidates[random.below(i)]);
}

class PruneTest : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Columns, PruneTest, testing::Values(1, 2, 3, 4, 5, 6));

TEST_P(PruneTest, NeverDropsWhoIsWanted) {
  const std::size_t d = GetParam();
  RandomStream random{d, Purpose::test, 51};
  std::size_t n_dropped = 0;
  for (const std::size_t k : {2U, 7U, 40U}) {
    for (const double spread : {1.0, 6.0}) {
      const Clusters clusters = random_clusters(d, k, spread, 10 * d + k);
      for (int trial = 0; trial < 30; ++trial) {
        const OwnedBox box = random_box(d, spread, random);
        Candidates candidates = clusters.everyone();
        shuffle(candidates, random);
        const Candidates left = clusters.prune(box.view(), candidates);
        ASSERT_FALSE(left.empty());
        EXPECT_TRUE(is_subsequence(left, candidates));
        expect_all_wanted(clusters, candidates, left, points_of(box, 30, random));
        n_dropped += candidates.size() - left.size();
      }
    }
  }
  EXPECT_GT(n_dropped, 500U);  // of 2940: the boxes are not all in vain
}

TEST_P(PruneTest, ALeadKeepsWhoIsWithinIt) {
  const std::size_t d = GetParam();
  RandomStream random{d, Purpose::test, 52};
  std::size_t n_more = 0;
  for (const double lead : {0.01, 1.0, 20.0}) {
    const Clusters clusters = random_clusters(d, 20, 4.0, d + 70);
    for (int trial = 0; trial < 30; ++trial) {
      const OwnedBox box = random_box(d, 4.0, random);
      const Candidates left = clusters.prune(box.view(), clusters.everyone(), lead);
      expect_all_wanted(clusters, clusters.everyone(), left, points_of(box, 30, random), lead);
      n_more += left.size() - clusters.prune(box.view(), clusters.everyone()).size();
    }
  }
  EXPECT_GT(n_more, 0U);
}

// Those that were dropped further up do not come back, and do not speak against others.
TEST_P(PruneTest, OnlyCandidatesCompete) {
  const std::size_t d = GetParam();
  RandomStream random{d, Purpose::test, 53};
  const Clusters clusters = random_clusters(d, 30, 4.0, d + 80);
  for (int trial = 0; trial < 30; ++trial) {
    Candidates candidates = clusters.everyone();
    shuffle(candidates, random);
    candidates.resize(1 + random.below(8));
    const OwnedBox box = random_box(d, 4.0, random);
    const Candidates left = clusters.prune(box.view(), candidates);
    ASSERT_FALSE(left.empty());
    EXPECT_TRUE(is_subsequence(left, candidates));
    expect_all_wanted(clusters, candidates, left, points_of(box, 30, random));
  }
}

TEST_P(PruneTest, TwinsStayTogether) {
  const std::size_t d = GetParam();
  RandomStream random{d, Purpose::test, 54};
  const Gaussian family(random_prior(d, 3));
  StatsArena stats(0, family.stats_size());
  for (std::uint64_t c = 0; c < 5; ++c) stats.append(stats_of(family, random_rows(8, d, 100 + c)));
  for (std::size_t c = 0; c < 5; ++c) stats.append(std::vector<double>(stats[c].begin(), stats[c].end()));
  const Clusters clusters(family, stats, {0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5});
  for (int trial = 0; trial < 50; ++trial) {
    const Candidates left = clusters.prune(random_box(d, 3.0, random).view(), clusters.everyone());
    for (std::int32_t c = 0; c < 5; ++c) EXPECT_EQ(has(left, c), has(left, c + 5));
  }
}

// Two clusters that mirror each other in the first column tie where that is zero.
Clusters mirrored_pair(std::size_t d, double distance, std::uint64_t seed) {
  NormalWishart prior = random_prior(d, seed);
  std::ranges::fill(prior.m0, 0.0);
  for (std::size_t i = 1; i < d; ++i) prior.b0[i] = prior.b0[i * d] = 0.0;  // the mirror keeps the prior
  const Gaussian family(prior);
  Stats stats = stats_of(family, random_rows(12, d, seed + 5));
  stats[1] = distance;
  StatsArena both(0, family.stats_size());
  both.append(stats);
  stats[1] = -distance;
  for (std::size_t i = 1; i < d; ++i) stats[1 + d + kernels::packed_index(i, 0)] *= -1.0;
  both.append(stats);
  return {family, both, {0.75, 0.75}};
}

// Boxes that begin on the mirror, or a little behind: at their edge the pair ties, though one of both is better by far
// everywhere else.
TEST_P(PruneTest, ATieAtTheEdgeIsEnoughToStay) {
  const std::size_t d = GetParam();
  RandomStream random{d, Purpose::test, 55};
  std::size_t n_tied = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Clusters clusters = mirrored_pair(d, random.uniform(0.1, 3.0), 10 * d + trial % 10);
    OwnedBox box = random_box(d, 2.0, random);
    box.low[0] = trial % 2 == 0 ? 0.0 : std::exp(random.uniform(-28.0, -18.0));  // the band is about e^-23
    box.high[0] = box.low[0] + random.uniform();
    const std::vector<Point> points = points_of(box, 10, random);
    expect_all_wanted(clusters, {0, 1}, clusters.prune(box.view(), {0, 1}), points);
    n_tied += is_tie(clusters.cost(0, points[1]), clusters.cost(1, points[1])) ? 1 : 0;  // the lowest vertex
  }
  EXPECT_GT(n_tied, 100U);
  EXPECT_LT(n_tied, 200U);  // some lie beyond the band: it is not the rule that nothing is ever dropped
}

// Clusters 100 apart and a box of size 1 about one of them.
TEST_P(PruneTest, FarAwayClustersAreDropped) {
  const std::size_t d = GetParam();
  const Gaussian family(random_prior(d, 4));
  StatsArena stats(0, family.stats_size());
  for (std::size_t c = 0; c < 10; ++c) {
    Stats of_cluster = stats_of(family, random_rows(200, d, 60 + c));
    for (std::size_t i = 0; i < d; ++i) of_cluster[1 + i] = 100.0 * static_cast<double>(c);
    stats.append(of_cluster);
  }
  const Clusters clusters(family, stats, std::vector<double>(10, 0.0));
  for (std::int32_t c = 0; c < 10; ++c) {
    const OwnedBox box{Point(d, 100.0 * c - 0.5), Point(d, 100.0 * c + 0.5)};
    EXPECT_EQ(clusters.prune(box.view(), clusters.everyone()), Candidates{c});
  }
}

// As that of an empty cluster under the Dirichlet process, wherever it stands in the list.
TEST_P(PruneTest, AnInfiniteOffsetIsDropped) {
  const std::size_t d = GetParam();
  RandomStream random{d, Purpose::test, 56};
  for (const std::size_t empty : {0U, 3U, 5U}) {
    Clusters clusters = random_clusters(d, 6, 1.0, d + 90);
    clusters.offsets[empty] = infinity;
    for (int trial = 0; trial < 30; ++trial) {
      const OwnedBox box = random_box(d, 1.0, random);
      const Candidates left = clusters.prune(box.view(), clusters.everyone(), trial % 2 == 0 ? 0.0 : 5.0);
      ASSERT_FALSE(left.empty());
      EXPECT_FALSE(has(left, static_cast<std::int32_t>(empty)));
      expect_all_wanted(clusters, clusters.everyone(), left, points_of(box, 10, random));
    }
  }
}

// Two clusters of width 1 tie at a point far from the origin, which is a corner of the box: its centre is rounded to
// the coordinates' digits, not to those of the distances from the means.
TEST(Prune, ATieFarFromTheOriginIsATie) {
  RandomStream random{60, Purpose::test};
  for (const double at : {0.0, 1024.0, 0x1p20, 0x1p30}) {
    const Gaussian family({{at}, 1.0, 1.0, {1.0}});  // the mirror is at the prior's mean
    StatsArena stats(0, family.stats_size());
    for (const double mean : {at - 0.5, at + 0.5}) stats.append(Stats{1.0, mean, 1.0});
    const Clusters clusters(family, stats, {0.0, 0.0});
    ASSERT_TRUE(is_tie(clusters.cost(0, {at}), clusters.cost(1, {at})));
    for (int trial = 0; trial < 100; ++trial) {
      const double width = random.uniform();
      EXPECT_EQ(clusters.prune(OwnedBox{{at}, {at + width}}.view(), {0, 1}).size(), 2U) << at;
      EXPECT_EQ(clusters.prune(OwnedBox{{at - width}, {at}}.view(), {0, 1}).size(), 2U) << at;
    }
  }
}

TEST(Prune, SomebodyIsLeftAmongInfiniteOffsets) {
  Clusters clusters = random_clusters(2, 4, 1.0, 5);
  std::ranges::fill(clusters.offsets, infinity);
  const OwnedBox box{{0.0, 0.0}, {1.0, 2.0}};
  EXPECT_FALSE(clusters.prune(box.view(), clusters.everyone()).empty());
}

TEST(Prune, ASingleCandidateStays) {
  const Clusters clusters = random_clusters(3, 4, 1.0, 6);
  const OwnedBox box{Point(3, -50.0), Point(3, 50.0)};
  for (std::int32_t c = 0; c < 4; ++c) EXPECT_EQ(clusters.prune(box.view(), {c}), Candidates{c});
}

}  // namespace
}  // namespace coppice::internal
