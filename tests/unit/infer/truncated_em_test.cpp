// SPDX-License-Identifier: BSD-3-Clause
// Steps of truncated variational EM: the free energy never falls, whatever neighbourhoods rows have to look around in.
#include "coppice/infer/truncated_em.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t k = 12;

struct Setting {
  std::size_t n_each;
  NeighbourhoodRule rule;
  bool explores;
};
constexpr Setting settings[] = {{1, NeighbourhoodRule::estimated, false}, {1, NeighbourhoodRule::estimated, true},
                                {1, NeighbourhoodRule::exhaustive, true}, {3, NeighbourhoodRule::estimated, false},
                                {3, NeighbourhoodRule::estimated, true},  {3, NeighbourhoodRule::exhaustive, false}};

// From the first rows as centres and clusters that are drawn; the rows have looked around once.
TruncatedEm started(const Execution& execution, const Rows& rows, const Setting& setting) {
  std::vector<double> centres(k * rows.n_columns());
  for (std::size_t c = 0; c < k; ++c)
    rows.copy_row(c, std::span(centres).subspan(c * rows.n_columns(), rows.n_columns()));
  const TruncatedOptions options{
      .n_each = setting.n_each, .n_neighbours = 4, .rule = setting.rule, .explores = setting.explores, .seed = 5};
  TruncatedEm em(execution, rows, options, centres, random_clusters(rows.size(), setting.n_each, k, 3),
                 random_neighbourhoods(k, 4, 4));
  (void)em.look_around();
  em.set_variance();
  return em;
}

TEST(TruncatedEm, TheFreeEnergyNeverFalls) {
  LocalExecution local(1);
  for (const bool are_weighted : {false, true}) {
    Dataset data = scattered_rows(400, 3, 6, 8, 4.0);
    if (are_weighted) data = data.with_weights(some_weights(400, 2));
    const Rows rows(data, {0.0, 0.0, 0.0});
    for (const Setting& setting : settings) {
      TruncatedEm em = started(local.get(), rows, setting);
      double before = em.free_energy();
      for (std::size_t step = 0; step < 25; ++step) {
        em.move_centres();
        if (setting.n_each == 1) {
          EXPECT_GE(em.free_energy_of_labels(), before - 1e-9 * std::abs(before)) << step;
          before = em.free_energy_of_labels();
        }
        (void)em.look_around();
        EXPECT_GE(em.free_energy(), before - 1e-9 * std::abs(before)) << step;
        before = em.free_energy();
      }
    }
  }
}

TEST(TruncatedEm, IsTheSameForAnyNumberOfThreads) {
  const Rows rows(scattered_rows(9000, 2, 6, 8, 4.0), {0.0, 0.0});
  for (const Setting& setting : settings) {
    std::vector<StatsArena> found;
    for (const std::size_t n_threads : {1U, 2U, 3U}) {
      LocalExecution local(n_threads);
      TruncatedEm em = started(local.get(), rows, setting);
      for (std::size_t step = 0; step < 4; ++step) {
        em.move_centres();
        (void)em.look_around();
      }
      found.push_back(em.stats());
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
  }
}

// Where every cluster is in every neighbourhood, one look finds the nearest centre of all.
TEST(TruncatedEm, WithAllClustersAroundRowsFindTheNearest) {
  LocalExecution local(2);
  const Rows rows(scattered_rows(500, 5, 6, 8, 4.0), std::vector<double>(5, 0.0));
  std::vector<double> centres(k * 5);
  for (std::size_t c = 0; c < k; ++c) rows.copy_row(c, std::span(centres).subspan(c * 5, 5));
  RowClusters nearest = random_clusters(rows.size(), 1, k, 3);
  const Neighbourhoods all = nearest_neighbourhoods(local.get(), centres, 5, k);
  const LookedAround looked = look_around(local.get(), {rows, centres, all, {}}, nearest);
  EXPECT_EQ(looked.distances, rows.size() * k);
  std::vector<double> values(5);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows.copy_row(row, values);
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t best = 0;
    for (std::uint32_t c = 0; c < k; ++c) {
      double squared = 0.0;
      for (std::size_t i = 0; i < 5; ++i) squared += std::pow(values[i] - centres[c * 5 + i], 2);
      if (squared < least) {
        least = squared;
        best = c;
      }
    }
    EXPECT_EQ(nearest.nearest(row), best);
    EXPECT_NEAR(nearest.least(row), least, 1e-12 * (1.0 + least));
  }
}

// A cluster without rows keeps its mean and its neighbours.
TEST(TruncatedEm, ClustersWithoutRowsStay) {
  LocalExecution local(1);
  const Rows rows(scattered_rows(100, 2, 2, 8, 1.0), {0.0, 0.0});
  std::vector<double> centres{0.0, 0.0, 1.0, 1.0, 1e6, 1e6};
  RowClusters of_rows = random_clusters(100, 1, 2, 1);
  const Neighbourhoods around = random_neighbourhoods(3, 2, 1);
  TruncatedEm em(local.get(), rows, {.n_each = 1, .n_neighbours = 2}, centres, of_rows, around);
  (void)em.look_around();
  em.set_variance();
  em.move_centres();
  EXPECT_EQ(em.stats().weight(2), 0.0);
  EXPECT_EQ(em.stats()[2][1], 1e6);
  EXPECT_TRUE(std::ranges::equal(em.neighbourhoods().of(2), around.of(2)));
}

}  // namespace
}  // namespace coppice::internal
