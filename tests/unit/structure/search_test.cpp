// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "coppice/data/row_draw.hpp"
#include "coppice/structure/merge.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using Search = void (*)(MaximizationExpectation&, State&, const SearchLimits&);

double rounding(double objective) { return 1e-10 * (1.0 + std::abs(objective)); }

// Six well-separated blobs: standard deviation 1, centres about 20 apart.
Dataset six_blobs(std::uint64_t seed) { return scattered_rows(600, 2, 6, seed, 20.0); }

struct Seen {
  std::vector<Progress> states;
  [[nodiscard]] std::size_t most_clusters() const {
    std::size_t most = 0;
    for (const Progress& state : states) most = std::max(most, state.k);
    return most;
  }
};

// Runs a search from one cluster and checks what holds for every reported state.
State run(ClusteringProblem& test, Search search, const SearchLimits& limits, Seen& seen) {
  MaximizationExpectation me = test.me({.observer = [&](const State& state) {
    seen.states.push_back(state.progress);
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
    const std::vector<std::int32_t> labels = state.labels.by_row();
    EXPECT_EQ(std::set<std::int32_t>(labels.begin(), labels.end()).size(), state.k());
    return Next::carry_on;
  }});
  State state = me.single_cluster();
  search(me, state, limits);
  EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
  return state;
}

TEST(Search, FindsBlobsThatAreFarApart) {
  for (const Search search : {&search_split_merge, &search_paper}) {
    for (std::size_t which = 0; which < 2; ++which) {
      ClusteringProblem test(six_blobs(1), partition_number(which));
      Seen seen;
      EXPECT_EQ(run(test, search, {}, seen).k(), 6U);
    }
  }
}

TEST(SearchSplitMerge, GivesExactlyK) {
  ClusteringProblem test(six_blobs(2), make_dirichlet(2.0));
  for (const std::size_t k : {1U, 2U, 3U, 6U, 9U, 15U}) {
    Seen seen;
    EXPECT_EQ(run(test, &search_split_merge, {.k = k}, seen).k(), k);
    EXPECT_LE(seen.most_clusters(), k);
  }
}

// Clusters heavier than 10,000 draw from the sample: here the first one does, and the lighter ones after it do not.
TEST(SearchSplitMerge, FindsBlobsByASample) {
  ClusteringProblem test(scattered_rows(12000, 2, 6, 1, 20.0), make_dirichlet(2.0));
  for (const std::size_t n : {2U, 100U, 12000U}) {
    const std::vector<std::size_t> sample = content_sample(test.execution(), test.rows().data(), n);
    Seen seen;
    const State state = run(test, &search_split_merge, {.sample = sample}, seen);
    EXPECT_EQ(state.k(), 6U) << n;
    Seen without_sample;
    const State expected = run(test, &search_split_merge, {}, without_sample);
    EXPECT_NEAR(state.objective, expected.objective, rounding(expected.objective)) << n;
  }
}

TEST(SearchSplitMerge, ComesDownToKFromAnyStart) {
  ClusteringProblem test(six_blobs(3), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(random_labels(600, 40, 3));
  search_split_merge(me, state, {.k = 4});
  EXPECT_EQ(state.k(), 4U);
}

TEST(SearchSplitMerge, GivesFewerThanKWhereRowsAreEqual) {
  ClusteringProblem test(Dataset::from_rows(std::vector<double>{1, 1, 1, 5, 5, 5}, 6, 1), make_dirichlet(2.0));
  Seen seen;
  EXPECT_LE(run(test, &search_split_merge, {.k = 4}, seen).k(), 2U);
}

TEST(Search, NeverExceedsMaxK) {
  for (const Search search : {&search_split_merge, &search_paper}) {
    for (const std::size_t max_k : {1U, 2U, 3U, 5U}) {
      ClusteringProblem test(six_blobs(4), make_dirichlet_process(1.0));
      Seen seen;
      EXPECT_EQ(run(test, search, {.max_k = max_k}, seen).k(), max_k) << "six clusters are there to be found";
      EXPECT_LE(seen.most_clusters(), max_k);
      MaximizationExpectation me = test.me({.observer = [&](const State& state) {
        EXPECT_LE(state.k(), max_k);
        return Next::carry_on;
      }});
      State state = me.from_labels(random_labels(600, 30, 4));
      search(me, state, {.max_k = max_k});
      EXPECT_LE(state.k(), max_k);
    }
  }
}

TEST(Search, TheObjectiveNeverRisesOverAcceptedStates) {
  for (const Search search : {&search_split_merge, &search_paper}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      ClusteringProblem test(scattered_rows(400, 2, 5, seed), partition_number(seed));
      Seen seen;
      (void)run(test, search, {}, seen);
      // The paper's search sweeps its trials to the end before it decides: those states may be worse.
      double best = std::numeric_limits<double>::infinity();
      std::size_t n_accepted = 0;
      for (const Progress& state : seen.states) {
        if (state.phase == "sweep" && search == &search_paper) continue;
        EXPECT_LE(state.objective, best + rounding(best)) << state.phase;
        best = state.objective;
        n_accepted += state.phase == "split" || state.phase == "merge" ? 1 : 0;
      }
      EXPECT_GT(n_accepted, 0U);
    }
  }
}

TEST(SearchSplitMerge, EndsWhereNoMergeAndNoSweepHelps) {
  ClusteringProblem test(scattered_rows(500, 2, 5, 7), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.single_cluster();
  search_split_merge(me, state, {});
  State again = state;
  EXPECT_FALSE(me.sweep(again));
  EXPECT_EQ(merge_while_better(me, again), 0U);
}

// One far point and one far pair beside two blobs.
Dataset blobs_and_stragglers() {
  const Dataset blobs = scattered_rows(200, 2, 2, 8, 20.0);
  std::vector<double> values(blobs.doubles().begin(), blobs.doubles().end());
  values.insert(values.end(), {500.0, 500.0, -500.0, 500.0, -501.0, 500.5});
  return Dataset::from_rows(std::move(values), 203, 2);
}

TEST(EnforceMinSize, DissolvesLightClusters) {
  for (const double min_size : {2.0, 5.0, 60.0, 1000.0}) {
    ClusteringProblem test(blobs_and_stragglers(), make_dirichlet(2.0));
    MaximizationExpectation me = test.me();
    State state = me.single_cluster();
    search_split_merge(me, state, {.min_size = min_size});
    enforce_min_size(me, state, min_size);
    for (std::size_t c = 0; c < state.k() && state.k() > 1; ++c) EXPECT_GE(state.stats.weight(c), min_size);
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
  }
}

TEST(EnforceMinSize, LeavesHeavyClustersAlone) {
  ClusteringProblem test(six_blobs(9), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.single_cluster();
  search_split_merge(me, state, {});
  const State before = state;
  enforce_min_size(me, state, 10.0);
  EXPECT_EQ(state.labels, before.labels);
}

TEST(NoteMergePath, GivesEvidenceForEverySmallerK) {
  ClusteringProblem test(six_blobs(10), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  const State state = me.from_labels(random_labels(600, 7, 10));
  note_merge_path(me, state);
  ASSERT_EQ(me.journal().k_evidence().size(), 6U);
  for (std::size_t k = 1; k <= 6; ++k) {
    State merged = state;
    MaximizationExpectation other = test.me();
    merge_down_to(other, merged, k);
    EXPECT_NEAR(me.journal().k_evidence().at(k), test.objective(merged.labels), rounding(merged.objective));
  }
}

// Stopping at any report leaves the best so far: whole, and not above what was seen before.
TEST(Search, AStopLeavesTheBestSoFar) {
  for (const Search search : {&search_split_merge, &search_paper}) {
    for (std::size_t most = 1; most <= 4; ++most) {
      ClusteringProblem test(six_blobs(11), make_dirichlet(2.0));
      std::size_t n_seen = 0;
      MaximizationExpectation me =
          test.me({.observer = [&](const State&) { return ++n_seen < most ? Next::carry_on : Next::stop; }});
      State state = me.single_cluster();
      const double start = state.objective;
      EXPECT_THROW(search(me, state, {}), Stopped);
      EXPECT_LE(state.objective, start);
      EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(start));
    }
  }
}

}  // namespace
}  // namespace coppice::internal
