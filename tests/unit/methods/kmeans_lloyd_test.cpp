// SPDX-License-Identifier: BSD-3-Clause
// k-means against Lloyd's iterations written down plainly, and what holds for every one of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "coppice/methods/kmeans.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

using Points = std::vector<std::vector<double>>;

Table as_table(const Points& points) {
  Table table{points.size(), points.front().size(), {}};
  for (const auto& point : points) table.values.insert(table.values.end(), point.begin(), point.end());
  return table;
}

// The first k rows.
Points first_rows(const Dataset& data, std::size_t k) {
  Points points(k, std::vector<double>(data.n_columns()));
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) points[i][c] = data.value(i, c);
  }
  return points;
}

// Every row to the nearest centre, every centre to the mean of its rows.
Points plain_iteration(const Dataset& data, const Points& centres) {
  Points sums(centres.size(), std::vector<double>(data.n_columns(), 0.0));
  std::vector<double> weights(centres.size(), 0.0);
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < centres.size(); ++k) {
      double squared_distance = 0.0;
      for (std::size_t c = 0; c < data.n_columns(); ++c) {
        const double t = data.value(row, c) - centres[k][c];
        squared_distance += t * t;
      }
      if (squared_distance < least) {
        least = squared_distance;
        nearest = k;
      }
    }
    weights[nearest] += data.weight(row);
    for (std::size_t c = 0; c < data.n_columns(); ++c) sums[nearest][c] += data.weight(row) * data.value(row, c);
  }
  for (std::size_t k = 0; k < centres.size(); ++k) {
    EXPECT_GT(weights[k], 0.0) << "the example must not empty a cluster";
    for (double& value : sums[k]) value /= weights[k];
  }
  return sums;
}

// Centres are means of hundreds of numbers of the size of 10.
void expect_follows_plain_lloyd(const Dataset& data, std::size_t k, const char* assign) {
  const Points start = first_rows(data, k);
  std::vector<StatsArena> seen;
  const RunOptions run{.threads = 1, .observer = [&](const State& state) {
                         seen.push_back(state.stats);
                         return Next::carry_on;
                       }};
  const Fit found = fit(data, KMeans{.k = {k, k}, .init = as_table(start), .assign = assign, .max_iterations = 5}, run);
  ASSERT_EQ(seen.size(), 5U);
  Points expected = start;
  for (std::size_t iteration = 0; iteration < 5; ++iteration) {
    expected = plain_iteration(data, expected);
    ASSERT_EQ(seen[iteration].size(), k);
    for (std::size_t cluster = 0; cluster < k; ++cluster) {
      for (std::size_t c = 0; c < data.n_columns(); ++c) {
        ASSERT_NEAR(seen[iteration][cluster][1 + c] + found.model.origin()[c], expected[cluster][c], 1e-12)
            << assign << ", iteration " << iteration << ", cluster " << cluster;
      }
    }
  }
}

TEST(KMeansLloyd, CentresFollowThePlainIterations) {
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    for (const std::size_t d : {1U, 2U, 4U, 5U, 12U}) {
      expect_follows_plain_lloyd(scattered_rows(3000, d, 8, d), 8, assign);
    }
    const Dataset data = scattered_rows(3000, 3, 20, 9);
    expect_follows_plain_lloyd(data.with_weights(some_weights(3000, 9)), 20, assign);
    expect_follows_plain_lloyd(as_float32(data), 20, assign);
  }
}

TEST(KMeansLloyd, TheObjectiveNeverRises) {
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Dataset data = scattered_rows(2000, 1 + 2 * seed, 10, seed).with_weights(some_weights(2000, seed));
      const Fit found = fit(data, KMeans{.k = {30, 30}, .assign = assign, .seed = seed});
      ASSERT_GT(found.trace.size(), 3U);
      EXPECT_EQ(found.trace[0].phase, "start");
      for (std::size_t i = 1; i < found.trace.size(); ++i) {
        EXPECT_EQ(found.trace[i].phase, "sweep");
        EXPECT_LE(found.trace[i].objective, found.trace[i - 1].objective) << assign << ", entry " << i;
        EXPECT_EQ(found.trace[i].k, 30U);
      }
      EXPECT_EQ(found.trace.back().iteration, found.iterations);
      EXPECT_NEAR(found.model.objective(), found.trace.back().objective, 1e-12 * found.model.objective());
    }
  }
}

// Rows far away, in single precision, with weights; one number of clusters and several.
TEST(KMeansLloyd, LabelsAreTheSameByAnyAssignment) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const double shift = seed % 3 == 0 ? 1e6 : 0.0;
    Dataset data =
        changed(scattered_rows(600, 1 + seed % 8, 6, seed), [=](double value, std::size_t) { return value + shift; });
    if (seed % 4 == 1) data = as_float32(data);
    if (seed % 4 == 2) data = data.with_weights(some_weights(600, seed));
    KMeans method{.k = {1 + seed, seed % 5 == 0 ? 5 + seed : 1 + seed}, .assign = "naive", .seed = seed};
    const Fit naive = fit(data, method);
    for (const char* assign : {"kdtree", "bounds", "auto"}) {
      method.assign = assign;
      const Fit found = fit(data, method);
      EXPECT_TRUE(found.labels == naive.labels) << assign;
      EXPECT_TRUE(found.model == naive.model) << assign;
    }
  }
}

// At the end every row is nearest to its own centre, so that the labels are what the model predicts.
TEST(KMeansLloyd, ConvergedMeansThatEveryRowIsAtItsNearestCentre) {
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    const Dataset data = scattered_rows(2000, 3, 10, 7).with_weights(some_weights(2000, 7));
    const Fit found = fit(data, KMeans{.k = {15, 15}, .assign = assign});
    ASSERT_EQ(found.stop_reason, StopReason::converged);
    EXPECT_TRUE(found.model.predict(data) == found.labels) << assign;
  }
}

void expect_same_bytes(const Fit& a, const Fit& b) {
  EXPECT_TRUE(a.labels == b.labels);
  EXPECT_TRUE(a.model == b.model);
  EXPECT_EQ(a.counters.distances, b.counters.distances);
  EXPECT_EQ(a.stop_reason, b.stop_reason);
  EXPECT_TRUE(a.k_evidence == b.k_evidence);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t i = 0; i < a.trace.size(); ++i) EXPECT_EQ(a.trace[i].objective, b.trace[i].objective);
}

TEST(KMeansLloyd, AnyNumberOfThreadsGivesTheSameBytes) {
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    for (const std::size_t d : {2U, 6U}) {
      SCOPED_TRACE(std::string(assign) + ", " + std::to_string(d) + " columns");
      const Dataset data = scattered_rows(5 * rows_per_block + 1, d, 20, d);
      const KMeans method{.k = {40, 40}, .assign = assign, .restarts = 2, .max_iterations = 10};
      const Fit one = fit(data, method, {.threads = 1});
      for (const std::uint64_t threads : {2U, 5U}) {
        const Fit more = fit(data, method, {.threads = threads});
        EXPECT_EQ(more.threads, threads);
        expect_same_bytes(one, more);
      }
    }
  }
}

Table labels_table(const std::vector<double>& labels) { return {labels.size(), 1, labels}; }

void expect_same_end(const std::vector<double>& values, std::size_t n_columns, const std::vector<double>& start) {
  const Dataset data = Dataset::from_rows(values, values.size() / n_columns, n_columns);
  const auto ended = [&](const char* assign) {
    return fit(data, KMeans{.init = labels_table(start), .assign = assign});
  };
  const Fit plain = ended("naive");
  for (const char* assign : {"kdtree", "bounds"}) {
    const Fit other = ended(assign);
    ASSERT_EQ(other.labels, plain.labels)
        << assign << ": " << testing::PrintToString(values) << " from " << testing::PrintToString(start);
  }
}

// Clusters of rows on a lattice often have the same mean, but for rounding, which depends on the order of sums: a row
// there must go neither to the one nor to the other because of that.
TEST(KMeans, CentresThatCoincideButForRoundingTie) {
  expect_same_end({2, 2, 1, 4, 2, 2, 1, 3, 3}, 1, {1, 1, 2, 2, 2, 0, 1, 2, 1});
  RandomStream random{18, Purpose::test};
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n_columns = 1 + random.below(2);
    const std::size_t n_rows = 8 + random.below(40);
    const std::size_t k = 2 + random.below(4);
    const double step = trial % 2 == 0 ? 1.0 : 0.1;
    const double shift = trial % 3 == 0 ? 1000.0 : 0.0;
    std::vector<double> values(n_rows * n_columns);
    for (double& value : values) value = shift + step * static_cast<double>(random.below(5));
    std::vector<double> start(n_rows);
    for (double& label : start) label = static_cast<double>(random.below(k));
    expect_same_end(values, n_columns, start);
  }
}

}  // namespace
}  // namespace coppice::internal
