// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/adapter.hpp"

#include <gtest/gtest.h>

#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t d = 2;
constexpr std::size_t k = 3;

struct Example {
  Gaussian family{random_prior(d, 1)};
  Rows rows = random_rows(40, d, 2);
  StatsArena stats{0, family.stats_size()};
  FamilyAdapter<Gaussian> clusters{family};

  Example() {
    for (std::size_t c = 0; c < k; ++c) stats.append(stats_of(family, rows, 10 * c, 10 * c + 10));
    clusters.update(stats);
  }
};

// What a function of the components writes about all rows.
using Table = void (Components::*)(std::span<const std::int32_t>, RowBlock&, double*) const;

std::vector<double> table(const Components& clusters, const Rows& rows,
                          const std::vector<std::int32_t>& candidates = {}, Table write = &Components::costs) {
  BlockBuffer buffer(d);
  RowBlock block(rows, 0, rows.size(), buffer);
  const std::size_t n = candidates.empty() ? clusters.size() : candidates.size();
  std::vector<double> out(n * kernels::panel_stride, 0.0);
  (clusters.*write)(candidates, block, out.data());
  return out;
}

TEST(FamilyAdapter, SpeaksForItsFamily) {
  const Example example;
  EXPECT_EQ(example.clusters.family(), "gaussian");
  EXPECT_EQ(example.clusters.n_columns(), d);
  EXPECT_EQ(example.clusters.stats_size(), example.family.stats_size());
  EXPECT_EQ(example.clusters.prior_arrays(), example.family.to_arrays());
  EXPECT_EQ(example.clusters.size(), k);
  EXPECT_EQ(example.clusters.log_evidence(example.stats[1]), example.family.log_evidence(example.stats[1]));
}

TEST(FamilyAdapter, CostsOfEveryClusterLieAStrideApart) {
  const Example example;
  const std::vector<double> costs = table(example.clusters, example.rows);
  for (std::size_t c = 0; c < k; ++c) {
    const std::vector<double> alone =
        costs_of(example.family, example.family.posterior(example.stats[c]), example.rows);
    for (std::size_t row = 0; row < example.rows.size(); ++row) {
      EXPECT_EQ(costs[c * kernels::panel_stride + row], alone[row]);
    }
  }
}

TEST(FamilyAdapter, LogPredictivesOfEveryClusterLieAStrideApart) {
  const Example example;
  const std::vector<double> found = table(example.clusters, example.rows, {}, &Components::log_predictive);
  for (std::size_t c = 0; c < k; ++c) {
    const std::vector<double> alone =
        log_predictive_of(example.family, example.family.posterior(example.stats[c]), example.rows);
    for (std::size_t row = 0; row < example.rows.size(); ++row) {
      EXPECT_EQ(found[c * kernels::panel_stride + row], alone[row]);
    }
  }
}

TEST(FamilyAdapter, CandidatesStandInTheirOrder) {
  const Example example;
  for (const Table write : {&Components::costs, &Components::log_predictive}) {
    const std::vector<double> all = table(example.clusters, example.rows, {}, write);
    for (const std::vector<std::int32_t>& candidates : {std::vector<std::int32_t>{2, 0}, {0, 1}, {1}}) {
      const std::vector<double> some = table(example.clusters, example.rows, candidates, write);
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto of_cluster = static_cast<std::size_t>(candidates[i]) * kernels::panel_stride;
        for (std::size_t row = 0; row < example.rows.size(); ++row) {
          EXPECT_EQ(some[i * kernels::panel_stride + row], all[of_cluster + row]);
        }
      }
    }
  }
}

TEST(FamilyAdapter, PlugInTakesEveryClusterToItsMeans) {
  const Example example;
  const std::vector<double> before = table(example.clusters, example.rows);
  const std::unique_ptr<Components> plug_in = example.clusters.plug_in();
  ASSERT_EQ(plug_in->size(), k);
  const std::vector<double> costs = table(*plug_in, example.rows);
  for (std::size_t c = 0; c < k; ++c) {
    const Gaussian::Posterior q = example.family.plug_in(example.family.posterior(example.stats[c]));
    const std::vector<double> alone = costs_of(example.family, q, example.rows);
    for (std::size_t row = 0; row < example.rows.size(); ++row) {
      EXPECT_EQ(costs[c * kernels::panel_stride + row], alone[row]);
    }
    EXPECT_EQ(plug_in->node_cost(c, example.stats[1]), example.family.node_cost(q, example.stats[1]));
  }
  EXPECT_EQ(table(example.clusters, example.rows), before);
}

TEST(FamilyAdapter, ACloneHasItsOwnClusters) {
  Example example;
  const std::unique_ptr<Components> copy = example.clusters.clone();
  const std::vector<double> before = table(example.clusters, example.rows);
  EXPECT_EQ(table(*copy, example.rows), before);
  example.clusters.update(StatsArena(1, example.family.stats_size()));
  EXPECT_EQ(example.clusters.size(), 1U);
  EXPECT_EQ(copy->size(), k);
  EXPECT_EQ(table(*copy, example.rows), before);
}

TEST(Components, MergeLossIsTheEvidenceLost) {
  const Example example;
  Stats both(example.stats[0].begin(), example.stats[0].end());
  example.family.merge(both, example.stats[1]);
  const double loss = example.family.log_evidence(example.stats[0]) + example.family.log_evidence(example.stats[1]) -
                      example.family.log_evidence(both);
  EXPECT_NEAR(example.clusters.merge_loss(example.stats[0], example.stats[1]), loss, 1e-11);
}

TEST(StatsArena, AppendsAssignsAndErases) {
  StatsArena arena(2, 3);
  EXPECT_EQ(arena.size(), 2U);
  EXPECT_EQ(arena.weight(1), 0.0);
  const Stats one = {1.0, 2.0, 3.0};
  const Stats other = {4.0, 5.0, 6.0};
  arena.append(one);
  arena.assign(0, other);
  EXPECT_EQ(arena.weight(0), 4.0);
  arena.erase(1);
  EXPECT_EQ(arena.values(), (std::vector<double>{4.0, 5.0, 6.0, 1.0, 2.0, 3.0}));
}

}  // namespace
}  // namespace coppice::internal
