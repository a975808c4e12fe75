// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/em.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>

#include "coppice/assign/naive.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

std::unique_ptr<Components> family_named(std::string_view shape, std::size_t d, double floor = 1e-6) {
  if (shape == "spherical") return std::make_unique<FamilyAdapter<PointSpherical>>(PointSpherical(d, floor));
  if (shape == "diagonal") return std::make_unique<FamilyAdapter<PointDiagonal>>(PointDiagonal(d, floor));
  return std::make_unique<FamilyAdapter<PointGaussian>>(PointGaussian(d, floor));
}

// Which mixture is fitted.
struct Kind {
  std::string_view shape = "gaussian";
  bool has_equal_shares = false;
  bool pools_scatter = false;
};

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (const char* shape : {"spherical", "diagonal", "gaussian"}) {
    for (const bool has_equal_shares : {false, true}) {
      for (const bool pools_scatter : {false, true}) kinds.push_back({shape, has_equal_shares, pools_scatter});
    }
  }
  return kinds;
}

// Rows with everything that EM needs.
class Mixture {
 public:
  Mixture(const Dataset& data, const Kind& kind, std::size_t n_threads = 1, double floor = 1e-6)
      : kind_(kind),
        local_(n_threads),
        rows_(data, fixed_origin(local_.get(), data)),
        units_(rows_),
        family_(family_named(kind.shape, data.n_columns(), floor)),
        partition_(kind.has_equal_shares ? make_equal_shares() : make_shares()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) total_ += rows_.weight(row);
  }
  // The leaves of a tree instead of the rows.
  void tie(std::size_t capacity) {
    tree_ = std::make_unique<KdTree>(local_.get(), rows_, capacity);
    stats_ = node_statistics(local_.get(), *tree_, *family_);
    leaves_ = std::make_unique<FrontUnits>(
        FrontUnits{{*tree_, stats_}, std::make_shared<const Front>(Front::of_leaves(*tree_))});
    units_ = Units(*leaves_);
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const Components& family() const { return *family_; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] Problem problem() const { return {units_, *family_, *partition_, total_}; }
  [[nodiscard]] ExpectationMaximization em(std::size_t max_iterations, double tolerance = 0.0, Observer observer = {}) {
    journals_.emplace_back(JournalOptions{.observer = std::move(observer), .max_iterations = max_iterations});
    return {local_.get(), problem(), {tolerance, kind_.pools_scatter}, journals_.back()};
  }
  // The state after some iterations.
  State run(std::span<const std::int32_t> labels, std::size_t n_iterations) {
    ExpectationMaximization algorithm = em(n_iterations);
    State state = algorithm.from_labels(labels);
    try {
      algorithm.converge(state);
    } catch (const Stopped&) {
    }
    return state;
  }
  // Of the last EM.
  [[nodiscard]] const Journal& journal() const { return journals_.back(); }
  [[nodiscard]] const std::vector<Progress>& trace() const { return journal().trace(); }

 private:
  Kind kind_;
  LocalExecution local_;
  Rows rows_;
  Units units_;
  std::unique_ptr<Components> family_;
  std::unique_ptr<PartitionPrior> partition_;
  std::unique_ptr<KdTree> tree_;
  StatsArena stats_;
  std::unique_ptr<FrontUnits> leaves_;
  double total_ = 0.0;
  std::deque<Journal> journals_;
};

// A mixture by the book: dense matrices, loops over everything, no statistics.
struct Reference {
  Kind kind;
  std::size_t d;
  std::vector<std::vector<double>> x;
  std::vector<double> weight;
  std::vector<double> share;
  std::vector<std::vector<double>> mean;
  std::vector<std::vector<double>> covariance;  // D x D
  double log_likelihood = 0.0;

  Reference(const Rows& rows, const Kind& which) : kind(which), d(rows.n_columns()) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      x.emplace_back(d);
      rows.copy_row(row, x.back());
      weight.push_back(rows.weight(row));
    }
  }

  void maximize(const std::vector<std::vector<double>>& r) {
    const std::size_t k = r[0].size();
    share.assign(k, 0.0);
    mean.assign(k, std::vector<double>(d, 0.0));
    covariance.assign(k, std::vector<double>(d * d, 0.0));
    std::vector<double> pooled(d * d, 0.0);
    double total = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      double n = 0.0;
      for (std::size_t row = 0; row < x.size(); ++row) {
        n += weight[row] * r[row][c];
        for (std::size_t i = 0; i < d; ++i) mean[c][i] += weight[row] * r[row][c] * x[row][i];
      }
      for (double& value : mean[c]) value /= n;
      for (std::size_t row = 0; row < x.size(); ++row) {
        for (std::size_t i = 0; i < d; ++i) {
          for (std::size_t j = 0; j < d; ++j) {
            const double product = weight[row] * r[row][c] * (x[row][i] - mean[c][i]) * (x[row][j] - mean[c][j]);
            covariance[c][i * d + j] += product;
            pooled[i * d + j] += product;
          }
        }
      }
      for (double& value : covariance[c]) value /= n;
      share[c] = n;
      total += n;
    }
    for (double& value : pooled) value /= total;
    for (std::size_t c = 0; c < k; ++c) {
      share[c] = kind.has_equal_shares ? 1.0 / static_cast<double>(k) : share[c] / total;
      if (kind.pools_scatter) covariance[c] = pooled;
      keep_shape(covariance[c]);
    }
  }
  void keep_shape(std::vector<double>& matrix) const {
    if (kind.shape == "gaussian") return;
    double trace = 0.0;
    for (std::size_t i = 0; i < d; ++i) trace += matrix[i * d + i];
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        if (i != j) matrix[i * d + j] = 0.0;
        if (i == j && kind.shape == "spherical") matrix[i * d + j] = trace / static_cast<double>(d);
      }
    }
  }
  // By Gaussian elimination, for one or two columns more than enough.
  [[nodiscard]] double log_density(std::size_t row, std::size_t c) const {
    std::vector<double> a = covariance[c];
    std::vector<double> b(d);
    for (std::size_t i = 0; i < d; ++i) b[i] = x[row][i] - mean[c][i];
    double log_det = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      log_det += std::log(a[i * d + i]);
      square += b[i] * b[i] / a[i * d + i];
      for (std::size_t j = i + 1; j < d; ++j) {
        const double factor = a[j * d + i] / a[i * d + i];
        for (std::size_t l = i; l < d; ++l) a[j * d + l] -= factor * a[i * d + l];
        b[j] -= factor * b[i];
      }
    }
    return -0.5 * (static_cast<double>(d) * std::log(2.0 * std::numbers::pi) + log_det + square);
  }
  std::vector<std::vector<double>> expect() {
    std::vector<std::vector<double>> r(x.size(), std::vector<double>(share.size()));
    log_likelihood = 0.0;
    for (std::size_t row = 0; row < x.size(); ++row) {
      double sum = 0.0;
      for (std::size_t c = 0; c < share.size(); ++c) sum += r[row][c] = share[c] * std::exp(log_density(row, c));
      for (double& value : r[row]) value /= sum;
      log_likelihood += weight[row] * std::log(sum);
    }
    return r;
  }
};

double rounding(double objective) { return 1e-10 * (1.0 + std::abs(objective)); }

// Six rows to a cluster at least, so that no covariance is singular.
LabelList blocks_of_labels(std::size_t n, std::size_t k, std::uint64_t seed) {
  LabelList labels = random_labels(n, k, seed);
  for (std::size_t row = 0; row < n; ++row) {
    if (row % 2 == 0) labels[row] = static_cast<std::int32_t>(row * k / n);
  }
  return labels;
}

TEST(ExpectationMaximization, FollowsTheBookIterationByIteration) {
  for (const Kind& kind : all_kinds()) {
    for (const std::size_t d : {1U, 2U, 5U}) {
      const std::size_t n = 400;
      const double spread = d == 2 ? 25.0 : 3.0;  // far apart, most shares vanish
      const Dataset data = scattered_rows(n, d, 3, d, spread).with_weights(some_weights(n, d));
      const LabelList labels = blocks_of_labels(n, 3, d);
      Mixture mixture(data, kind);
      Reference book(mixture.rows(), kind);
      std::vector<std::vector<double>> r(n, std::vector<double>(3, 0.0));
      for (std::size_t row = 0; row < n; ++row) r[row][static_cast<std::size_t>(labels[row])] = 1.0;
      std::vector<double> expected;
      for (std::size_t i = 0; i <= 6; ++i) {
        book.maximize(r);
        r = book.expect();
        expected.push_back(-book.log_likelihood);
      }
      const State state = mixture.run(labels, 6);
      ASSERT_EQ(mixture.trace().size(), 7U);
      for (std::size_t i = 0; i <= 6; ++i) {
        EXPECT_NEAR(mixture.trace()[i].objective, expected[i], rounding(expected[i]))
            << kind.shape << ' ' << d << ' ' << i;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const ColumnMoments moments = mixture.family().column_moments(state.stats[c]);
        for (std::size_t i = 0; i < d; ++i) {
          EXPECT_NEAR(moments.mean[i], book.mean[c][i], 1e-8);
          EXPECT_NEAR(moments.variance[i], book.covariance[c][i * d + i], 1e-8);
        }
      }
    }
  }
}

// The assertion in the algorithm itself does the work; a floor that binds is part of the model.
TEST(ExpectationMaximization, NeverLowersTheLikelihood) {
  for (const Kind& kind : all_kinds()) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const std::size_t n = 40 + 60 * seed;
      Dataset data = scattered_rows(n, 1 + seed % 6, 4, seed);
      if (seed % 2 == 1) data = data.with_weights(some_weights(n, seed));
      const double floor = seed % 3 == 0 ? 1e-6 : seed % 3 == 1 ? 0.5 : 3.0;
      Mixture mixture(data, kind, 1, floor);
      (void)mixture.run(random_labels(n, 2 + seed % 5, seed), 30);
      const std::vector<Progress>& trace = mixture.trace();
      ASSERT_GT(trace.size(), 2U);
      for (std::size_t i = 1; i < trace.size(); ++i) EXPECT_LE(trace[i].objective, trace[i - 1].objective);
      EXPECT_LT(trace.back().objective, trace.front().objective);
    }
  }
}

// Duplicates and constant columns: variances go down to the floor and stay there.
TEST(ExpectationMaximization, DegenerateClustersAreNoTrouble) {
  std::vector<double> values;
  for (std::size_t row = 0; row < 60; ++row) {
    values.insert(values.end(),
                  {static_cast<double>(row % 3), row % 3 == 0 ? 0.1 * static_cast<double>(row) : 7.0, 5.0});
  }
  const Dataset data = Dataset::from_rows(values, 60, 3);
  LabelList labels(60);
  for (std::size_t row = 0; row < 60; ++row) labels[row] = static_cast<std::int32_t>(row % 3);
  for (const Kind& kind : all_kinds()) {
    Mixture mixture(data, kind);
    const State state = mixture.run(labels, 20);
    EXPECT_TRUE(std::isfinite(state.objective));
    EXPECT_EQ(state.k(), 3U) << kind.shape;
  }
}

TEST(ExpectationMaximization, AClusterOfOneRowAndAsManyClustersAsRows) {
  const Dataset data = scattered_rows(12, 2, 3, 1);
  LabelList labels(12);
  for (std::size_t row = 0; row < 12; ++row) labels[row] = static_cast<std::int32_t>(row);
  for (const Kind& kind : all_kinds()) {
    const State state = Mixture(data, kind).run(labels, 5);
    EXPECT_TRUE(std::isfinite(state.objective));
    EXPECT_EQ(state.k(), 12U);
  }
  const State one = Mixture(Dataset::from_rows(std::vector<double>{3.0, 4.0}, 1, 2), {}).run(LabelList{0}, 5);
  EXPECT_NEAR(one.objective, std::log(2.0 * std::numbers::pi * 1e-6), 1e-9);
}

TEST(ExpectationMaximization, WithoutAFloorASingularClusterIsAnError) {
  Mixture mixture(scattered_rows(10, 2, 2, 1), {}, 1, 0.0);
  EXPECT_THROW((void)mixture.run(LabelList{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 5), NumericError);
}

TEST(ExpectationMaximization, WeightsAreCopiesAndWeightZeroIsAbsent) {
  const std::size_t n = 200;
  const Dataset data = scattered_rows(n, 3, 3, 5);
  const LabelList labels = blocks_of_labels(n, 3, 5);
  std::vector<double> weights(n);
  std::vector<double> copies;
  std::vector<double> present;
  LabelList copied_labels;
  LabelList present_labels;
  std::vector<double> present_weights;
  for (std::size_t row = 0; row < n; ++row) {
    weights[row] = static_cast<double>((row + row / 7) % 4);
    for (std::size_t copy = 0; copy < (row + row / 7) % 4; ++copy) {
      for (std::size_t c = 0; c < 3; ++c) copies.push_back(data.value(row, c));
      copied_labels.push_back(labels[row]);
    }
    if (weights[row] == 0.0) continue;
    for (std::size_t c = 0; c < 3; ++c) present.push_back(data.value(row, c));
    present_labels.push_back(labels[row]);
    present_weights.push_back(weights[row]);
  }
  const Dataset repeated = Dataset::from_rows(copies, copied_labels.size(), 3);
  const Dataset kept = Dataset::from_rows(present, present_labels.size(), 3).with_weights(present_weights);
  for (const Kind& kind : all_kinds()) {
    const double weighted = Mixture(data.with_weights(weights), kind).run(labels, 8).objective;
    EXPECT_NEAR(Mixture(repeated, kind).run(copied_labels, 8).objective, weighted, rounding(weighted));
    EXPECT_NEAR(Mixture(kept, kind).run(present_labels, 8).objective, weighted, rounding(weighted));
  }
}

// More than two blocks of rows, near and far clusters, so that both ways to take rows in are used.
TEST(ExpectationMaximization, TheBitsDoNotDependOnTheNumberOfThreads) {
  const std::size_t n = 20000;
  for (const double spread : {1.0, 30.0}) {
    const Dataset data = scattered_rows(n, 6, 8, 3, spread);
    const LabelList labels = blocks_of_labels(n, 8, 3);
    for (const char* shape : {"spherical", "diagonal", "gaussian"}) {
      for (const std::size_t capacity : {0U, 50U}) {
        std::vector<State> states;
        for (const std::size_t n_threads : {1U, 2U, 5U}) {
          Mixture mixture(data, {shape}, n_threads);
          if (capacity > 0) mixture.tie(capacity);
          states.push_back(mixture.run(labels, 4));
        }
        EXPECT_EQ(states[0].stats, states[1].stats);
        EXPECT_EQ(states[0].stats, states[2].stats);
        EXPECT_EQ(states[0].objective, states[2].objective);
      }
    }
  }
}

// Rows in which a cluster has no share are left out; where clusters lie far apart, what is left are the hard clusters.
TEST(ExpectationMaximization, FarClustersTakeTheirOwnRows) {
  const Generated made = generate(GaussianMixture{.n_rows = 6000, .n_columns = 5, .k = 12, .tau = 20.0, .seed = 9});
  Mixture mixture(made.data.with_weights(some_weights(6000, 9)), {"gaussian"});
  const State soft = mixture.run(made.labels, 3);
  const StatsArena hard = mixture.em(1).from_labels(made.labels).stats;
  ASSERT_EQ(soft.k(), 12U);
  for (std::size_t i = 0; i < hard.values().size(); ++i) {
    EXPECT_NEAR(soft.stats.values()[i], hard.values()[i], 1e-9 * (1.0 + std::abs(hard.values()[i])));
  }
}

TEST(ExpectationMaximization, Float32IsTheSameAsItsValuesInDouble) {
  const Dataset single = as_float32(scattered_rows(300, 3, 3, 6));
  std::vector<double> values(single.floats().begin(), single.floats().end());
  const Dataset wide = Dataset::from_rows(std::move(values), 300, 3);
  const LabelList labels = blocks_of_labels(300, 3, 6);
  EXPECT_EQ(Mixture(single, {}).run(labels, 5).objective, Mixture(wide, {}).run(labels, 5).objective);
}

// Leaves that hold copies of one row each are rows with weights.
TEST(ExpectationMaximization, TiedLeavesOfCopiesAreRows) {
  const std::size_t n_different = 128;
  const Dataset few = scattered_rows(n_different, 2, 3, 7);
  std::vector<double> values;
  LabelList labels;
  const LabelList of_different = blocks_of_labels(n_different, 3, 7);
  for (std::size_t row = 0; row < n_different; ++row) {
    for (std::size_t copy = 0; copy < 8; ++copy) {
      values.insert(values.end(), {few.value(row, 0), few.value(row, 1)});
      labels.push_back(of_different[row]);
    }
  }
  const Dataset data = Dataset::from_rows(values, 8 * n_different, 2);
  for (const Kind& kind : all_kinds()) {
    const State exact = Mixture(data, kind).run(labels, 10);
    Mixture tied(data, kind);
    tied.tie(8);
    ASSERT_EQ(tied.problem().units.size(), n_different) << "every leaf holds one row's copies";
    EXPECT_NEAR(tied.run(labels, 10).objective, exact.objective, rounding(exact.objective)) << kind.shape;
  }
}

// At equal parameters; and the bound never rises, which the algorithm asserts.
TEST(ExpectationMaximization, TiedLeavesBoundTheLikelihood) {
  const Dataset data = scattered_rows(2000, 2, 4, 8);
  const LabelList labels = blocks_of_labels(2000, 4, 8);
  for (const Kind& kind : all_kinds()) {
    double before = -std::numeric_limits<double>::infinity();
    for (const std::size_t capacity : {1U, 16U, 200U}) {
      Mixture tied(data, kind);
      tied.tie(capacity);
      const double start = (tied.run(labels, 30), tied.trace().front().objective);
      EXPECT_GE(start, Mixture(data, kind).run(labels, 0).objective - rounding(start)) << "the bound lies above F";
      EXPECT_GE(start, before - rounding(start)) << "larger leaves, looser bound";
      before = start;
      EXPECT_LT(tied.trace().back().objective, start);
    }
  }
}

TEST(ExpectationMaximization, LabelsAreTheLargestShares) {
  const Dataset data = scattered_rows(500, 2, 4, 9);
  const LabelList start = blocks_of_labels(500, 4, 9);
  for (const std::size_t capacity : {0U, 20U}) {
    Mixture mixture(data, {"gaussian"});
    if (capacity > 0) mixture.tie(capacity);
    State state = mixture.run(start, 10);
    EXPECT_EQ(state.labels.size(), 0U) << "no labels before they are asked for";
    label_softly(mixture.execution(), mixture.problem(), state);
    const std::unique_ptr<Components> clusters = mixture.family().clone();
    clusters->update(state.stats);
    const LabelList expected = assign_naive(mixture.execution(), Subset(Units(mixture.rows())), *clusters,
                                            mixture.problem().offsets(state.stats), LabelList(500, -1))
                                   .labels.by_row();
    EXPECT_EQ(state.labels.by_row(), expected);
  }
}

TEST(ExpectationMaximization, TheObserverSeesEveryStateAndCanStop) {
  Mixture mixture(scattered_rows(400, 2, 3, 10), {});
  const LabelList labels = blocks_of_labels(400, 3, 10);
  std::vector<double> seen;
  std::size_t most = 1000;
  const auto observe = [&](const State& state) {
    EXPECT_EQ(state.progress.phase, seen.empty() ? "start" : "em");
    EXPECT_EQ(state.progress.iteration, seen.size());
    EXPECT_EQ(state.progress.k, 3U);
    EXPECT_EQ(state.progress.objective, state.objective);
    EXPECT_EQ(state.progress.distances, 400U * 3U * (seen.size() + 1));
    seen.push_back(state.objective);
    return seen.size() < most ? Next::carry_on : Next::stop;
  };
  ExpectationMaximization em = mixture.em(1000, 1e-7, observe);
  State state = em.from_labels(labels);
  em.converge(state);
  ASSERT_GT(seen.size(), 4U);
  ASSERT_EQ(mixture.trace().size(), seen.size());
  EXPECT_EQ(mixture.journal().iterations() + 1, seen.size());
  EXPECT_EQ(mixture.journal().k_evidence().at(3), state.objective);
  EXPECT_LE(seen[seen.size() - 2] - seen.back(), 400 * 1e-7) << "the last step gained next to nothing";
  EXPECT_GT(seen[seen.size() - 3] - seen[seen.size() - 2], 400 * 1e-7) << "and was the first to do so";

  const double second = seen[1];
  seen.clear();
  most = 2;
  ExpectationMaximization stopped = mixture.em(1000, 1e-7, observe);
  state = stopped.from_labels(labels);
  EXPECT_THROW(stopped.converge(state), Stopped);
  EXPECT_EQ(state.objective, second) << "the state is whole";
}

TEST(ExpectationMaximization, StopsAtTheIterationLimit) {
  Mixture mixture(scattered_rows(400, 2, 3, 10), {});
  ExpectationMaximization em = mixture.em(3);
  State state = em.from_labels(blocks_of_labels(400, 3, 10));
  try {
    em.converge(state);
    FAIL() << "no limit";
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.reason(), StopReason::iteration_limit);
  }
  EXPECT_EQ(mixture.journal().iterations(), 3U);
  EXPECT_EQ(mixture.trace().size(), 4U);
}

// Two clusters at one place: one of them starves. What is left is the mixture without it.
TEST(ExpectationMaximization, EmptyClustersVanish) {
  const Dataset data = scattered_rows(300, 1, 1, 11).with_weights([] {
    std::vector<double> weights(300, 1.0);
    weights[7] = 0.0;
    return weights;
  }());
  LabelList labels(300, 0);
  labels[7] = 5;  // a cluster of no weight
  Mixture mixture(data, {});
  EXPECT_EQ(mixture.run(labels, 3).k(), 1U);
}

}  // namespace
}  // namespace coppice::internal
