// SPDX-License-Identifier: BSD-3-Clause
// Variational Bayes with every family: the bound, and how it goes down.
#include "coppice/infer/variational_bayes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

double rounding(double bound) { return 1e-9 * (1.0 + std::abs(bound)); }

template <Family F>
std::unique_ptr<Components> components(F family) {
  return std::make_unique<FamilyAdapter<F>>(std::move(family));
}

// A family with rows that suit it.
struct Example {
  std::string name;
  std::unique_ptr<Components> family;
  Dataset data;
};

// Clusters may differ in scale, and rows are rounded: all that the fitted prior knows of.
NormalWishart rich_prior(std::size_t d) {
  NormalWishart prior = plain_prior(d);
  prior.multiples = {0.25, 0.5, 1.0, 2.0, 4.0};
  prior.rounding.assign(d, 1e-3);
  return prior;
}

Example example(const std::string& name, std::uint64_t seed, std::size_t n = 300) {
  const Dataset points = scattered_rows(n, 3, 4, seed, 1.5);
  if (name == "gaussian") return {name, components(Gaussian(rich_prior(3))), points};
  if (name == "diagonal") {
    return {name,
            components(DiagonalGaussian(NormalGamma{{0.0, 0.0, 0.0}, 0.1, 2.0, {1.0, 2.0, 0.5}, {1e-3, 0.0, 0.0}})),
            points};
  }
  if (name == "spherical") {
    return {name, components(SphericalGaussian(NormalGamma{{0.0, 0.0, 0.0}, 0.1, 2.0, {1.0}, {}})), points};
  }
  if (name == "multinomial") return {name, components(Multinomial(6, 0.3)), random_counts(n, 6, 3, seed)};
  if (name == "sparse") return {name, components(Multinomial(6, 0.3)), sparse_as<double>(random_counts(n, 6, 3, seed))};
  return {name, components(Bernoulli(7, 0.4)), random_bits(n, 7, 3, seed)};
}

// Everything that a fit by variational Bayes needs.
class Fit {
 public:
  explicit Fit(Example example, double phi0 = 2.0, std::size_t n_threads = 1)
      : local_(n_threads),
        example_(std::move(example)),
        rows_(example_.data, std::vector<double>(example_.data.n_columns(), 0.0)),
        units_(rows_),
        partition_(make_dirichlet(phi0)) {}
  // Nodes at a depth of a tree instead of the rows; nothing: all rows, every leaf opened.
  void tie(std::optional<std::size_t> depth) {
    if (!tree_) {
      tree_ = std::make_unique<KdTree>(local_.get(), rows_, 8);
      node_stats_ = node_statistics(local_.get(), *tree_, *example_.family);
    }
    const Front front = depth ? Front::at_depth(*tree_, *depth) : Front::of_rows(*tree_);
    front_ = std::make_unique<FrontUnits>(FrontUnits{{*tree_, node_stats_}, std::make_shared<const Front>(front)});
    units_ = Units(*front_);
  }

  [[nodiscard]] Problem problem() const { return {units_, *example_.family, *partition_, total_weight(example_.data)}; }
  [[nodiscard]] StatsArena statistics(std::span<const std::int32_t> labels, std::size_t k) {
    const Units rows(rows_);
    return statistics_of(local_.get(), rows, *example_.family, labels_of(rows, labels), k);
  }
  [[nodiscard]] double hard(std::span<const std::int32_t> labels, std::size_t k) {
    return problem().objective(statistics(labels, k));
  }
  [[nodiscard]] double bound(const StatsArena& stats) {
    return soften(local_.get(), problem(), stats, {.max_iterations = 0}).bound;
  }
  // The trace of a descent from labels; `state` is what it comes to.
  std::vector<Progress> descend(std::span<const std::int32_t> labels, std::size_t k, State& state,
                                std::size_t max_iterations = 60) {
    state.stats = statistics(labels, k);
    return descend(state, max_iterations);
  }
  // From the state's own clusters.
  std::vector<Progress> descend(State& state, std::size_t max_iterations = 60) {
    Journal journal({.max_iterations = max_iterations});
    VariationalBayes vb(local_.get(), problem(), {.tolerance = 0.0}, journal);
    try {
      vb.converge(state);
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.reason(), StopReason::iteration_limit);
    }
    return journal.trace();
  }

 private:
  LocalExecution local_;
  Example example_;
  Rows rows_;
  Units units_;
  std::unique_ptr<PartitionPrior> partition_;
  std::unique_ptr<KdTree> tree_;
  StatsArena node_stats_;
  std::unique_ptr<FrontUnits> front_;
};

class VariationalBayesTest : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static bool is_in_trees() { return std::string(GetParam()) != "sparse"; }
};

void expect_descent(const std::vector<Progress>& trace, double start) {
  double last = start;
  for (const Progress& step : trace) {
    EXPECT_LE(step.objective, last + rounding(last)) << step.phase << ' ' << step.iteration;
    last = step.objective;
  }
  EXPECT_LT(last, start - 1.0) << "these clusters overlap";
}

TEST_P(VariationalBayesTest, TheBoundNeverRises) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Fit fit(example(GetParam(), seed));
    State state;
    const std::vector<std::int32_t> labels = random_labels(300, 5, seed);
    const std::vector<Progress> trace = fit.descend(labels, 5, state);
    expect_descent(trace, fit.hard(labels, 5));
    EXPECT_EQ(trace.front().phase, "start");
    EXPECT_EQ(trace.back().objective, state.objective);
    EXPECT_NEAR(fit.bound(state.stats), state.objective, rounding(state.objective)) << "it belongs to the statistics";
  }
}

TEST_P(VariationalBayesTest, NorOverTheNodesOfATree) {
  if (!is_in_trees()) return;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Fit fit(example(GetParam(), seed));
    const std::vector<std::int32_t> labels = random_labels(300, 5, seed);
    const double hard = fit.hard(labels, 5);
    fit.tie(5);
    State state;
    expect_descent(fit.descend(labels, 5, state), hard);
  }
}

// Clusters of fewer rows, or of more, have sizes that are no shares of these.
TEST_P(VariationalBayesTest, StartsFromClustersOfOtherRows) {
  for (const double factor : {0.2, 5.0}) {
    Fit fit(example(GetParam(), 2));
    const StatsArena stats = fit.statistics(random_labels(300, 4, 2), 4);
    StatsArena others(4, stats.stats_size());
    const Problem problem = fit.problem();
    for (std::size_t c = 0; c < 4; ++c) problem.components.add_scaled(others[c], stats[c], factor);
    State state;
    state.stats = others;
    const std::vector<Progress> trace = fit.descend(state);
    double last = trace.front().objective;
    for (const Progress& step : trace) {
      EXPECT_LE(step.objective, last + rounding(last)) << step.iteration;
      last = step.objective;
    }
    double total = 0.0;
    for (std::size_t c = 0; c < state.k(); ++c) total += state.stats.weight(c);
    EXPECT_NEAR(total, 300.0, 1e-6);
    EXPECT_NEAR(fit.bound(state.stats), state.objective, rounding(last));
  }
}

// -log p(rows) by the sum over all labellings.
TEST_P(VariationalBayesTest, TheBoundLiesBetweenTheEvidenceAndTheBestLabelling) {
  constexpr std::size_t n = 9;
  constexpr std::size_t k = 2;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Fit fit(example(GetParam(), seed, n), 0.7);
    std::vector<double> log_joint;
    std::vector<std::int32_t> best;
    for (std::uint32_t bits = 0; bits < 1U << n; ++bits) {
      std::vector<std::int32_t> labels;
      for (std::size_t row = 0; row < n; ++row) labels.push_back(static_cast<std::int32_t>(bits >> row & 1U));
      log_joint.push_back(-fit.hard(labels, k));
      if (log_joint.back() >= *std::ranges::max_element(log_joint)) best = labels;
    }
    State state;
    (void)fit.descend(best, k, state);
    if (state.k() < k) continue;  // of fewer clusters: another evidence
    EXPECT_LE(state.objective, fit.hard(best, k) + rounding(state.objective));
    EXPECT_GE(state.objective, -kernels::log_sum_exp(log_joint) - rounding(state.objective));
  }
}

// The rows behind a node have the same shares: one more demand. With every leaf opened there is none.
TEST_P(VariationalBayesTest, DeeperFrontsAreTighter) {
  if (!is_in_trees()) return;
  Fit fit(example(GetParam(), 1, 2000));
  const StatsArena stats = fit.statistics(random_labels(2000, 4, 1), 4);
  const double of_rows = fit.bound(stats);
  double last = std::numeric_limits<double>::infinity();
  for (const std::size_t depth : {0U, 2U, 4U, 6U, 20U}) {
    fit.tie(depth);
    const double bound = fit.bound(stats);
    EXPECT_LE(bound, last + rounding(last)) << depth;
    EXPECT_GE(bound, of_rows - rounding(of_rows)) << depth;
    last = bound;
  }
  fit.tie(std::nullopt);
  EXPECT_NEAR(fit.bound(stats), of_rows, rounding(of_rows));
}

TEST_P(VariationalBayesTest, DoesNotDependOnThreads) {
  const std::vector<std::int32_t> labels = random_labels(9000, 4, 3);
  State one;
  State three;
  (void)Fit(example(GetParam(), 3, 9000), 2.0, 1).descend(labels, 4, one, 5);
  (void)Fit(example(GetParam(), 3, 9000), 2.0, 3).descend(labels, 4, three, 5);
  EXPECT_EQ(one.objective, three.objective);
  EXPECT_EQ(one.stats, three.stats);
}

INSTANTIATE_TEST_SUITE_P(Families, VariationalBayesTest,
                         testing::Values("gaussian", "diagonal", "spherical", "multinomial", "sparse", "bernoulli"),
                         [](const auto& test) { return std::string(test.param); });

// Rows of three kinds that nobody takes for another: groups far apart, words that only one kind has, long strings of
// bits. All shares are then 0 or 1.
Example sure_rows(const std::string& name) {
  constexpr std::size_t n = 90;
  std::vector<double> values;
  RandomStream random{1, Purpose::test};
  if (name == "multinomial" || name == "bernoulli") {
    constexpr std::size_t d = 240;
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t c = 0; c < d; ++c) {
        const bool is_own = c % 3 == row % 3;
        const std::size_t count = is_own ? random.below(5) : 0;
        values.push_back(name == "bernoulli" ? static_cast<double>(is_own) : static_cast<double>(count));
      }
    }
    const Dataset data = Dataset::from_rows(std::move(values), n, d);
    return {name, name == "bernoulli" ? components(Bernoulli(d, 0.4)) : components(Multinomial(d, 0.3)), data};
  }
  Example points = example(name, 1, n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t c = 0; c < 3; ++c) values.push_back(100.0 * static_cast<double>(row % 3) + random.normal());
  }
  points.data = Dataset::from_rows(std::move(values), n, 3);
  return points;
}

// math: with shares of 0 or 1 the bound is the objective of hard labels, all constants included.
TEST(VariationalBayes, WhereRowsAreSureTheBoundIsTheHardObjective) {
  for (const char* name : {"gaussian", "diagonal", "spherical", "multinomial", "bernoulli"}) {
    Fit fit(sure_rows(name));
    std::vector<std::int32_t> labels(90);
    for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = static_cast<std::int32_t>(row % 3);
    const double hard = fit.hard(labels, 3);
    EXPECT_NEAR(fit.bound(fit.statistics(labels, 3)), hard, rounding(hard)) << name;
  }
}

// A cluster of a third of a row goes, unless that row would cost more elsewhere.
TEST(VariationalBayes, LightClustersGoOnlyIfThatHelps) {
  for (const double place : {0.5, 1e4}) {
    std::vector<double> values;
    RandomStream random{5, Purpose::test};
    for (std::size_t row = 0; row < 60; ++row) values.push_back(random.normal());
    values.push_back(place);
    std::vector<double> weights(61, 1.0);
    weights.back() = 0.3;
    NormalWishart prior = plain_prior(1);
    Fit fit({"gaussian", components(Gaussian(prior)), Dataset::from_rows(values, 61, 1).with_weights(weights)});
    std::vector<std::int32_t> labels(61, 0);
    labels.back() = 1;
    State state;
    const std::vector<Progress> trace = fit.descend(labels, 2, state);
    double last = fit.hard(labels, 2);
    for (const Progress& step : trace) {
      EXPECT_LE(step.objective, last + rounding(last)) << step.iteration << " at " << place;
      last = step.objective;
    }
    EXPECT_EQ(state.k(), place > 1.0 ? 2U : 1U) << place;
    EXPECT_NEAR(state.stats.weight(0) + (state.k() > 1 ? state.stats.weight(1) : 0.0), 60.3, 1e-9);
  }
}

TEST(VariationalBayes, KeepsToTheLimitOfIterations) {
  Fit fit(example("gaussian", 2));
  State state;
  const std::vector<Progress> trace = fit.descend(random_labels(300, 4, 2), 4, state, 3);
  ASSERT_EQ(trace.size(), 4U);
  EXPECT_EQ(trace.back().iteration, 3U);
  EXPECT_EQ(trace.back().objective, state.objective);
}

}  // namespace
}  // namespace coppice::internal
