// SPDX-License-Identifier: BSD-3-Clause
// Fronts of one tree, from its root to its rows: whatever rows are tied together, all clusters together are the same,
// and the less is tied, the more likely the rows are.
#include "infer/expectation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_rows = 3000;
constexpr std::size_t k = 5;

std::unique_ptr<Components> family_named(std::string_view shape, std::size_t d) {
  if (shape == "spherical") return std::make_unique<FamilyAdapter<PointSpherical>>(PointSpherical(d, 1e-6));
  if (shape == "diagonal") return std::make_unique<FamilyAdapter<PointDiagonal>>(PointDiagonal(d, 1e-6));
  if (shape == "gaussian") return std::make_unique<FamilyAdapter<PointGaussian>>(PointGaussian(d, 1e-6));
  return plain_gaussian(d).clone();
}

// Rows in a tree, and clusters of them that overlap.
class Example {
 public:
  Example(const Dataset& data, std::string_view shape, std::size_t n_threads = 1)
      : local_(n_threads),
        rows_(data, std::vector<double>(data.n_columns(), 0.25)),
        listed_(rows_),
        clusters_(family_named(shape, data.n_columns())),
        tree_(local_.get(), rows_, 16),
        nodes_(node_statistics(local_.get(), tree_, *clusters_)) {
    const Labels labels(labels_by_distance(rows_, k, 1));
    const StatsArena stats = statistics_of(local_.get(), listed_, *clusters_, labels, k);
    clusters_->update(stats);
    for (std::size_t c = 0; c < k; ++c) log_weights_.push_back(std::log(stats.weight(c) / nodes_.weight(0)));
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const KdTree& tree() const { return tree_; }
  [[nodiscard]] const StatsArena& nodes() const { return nodes_; }
  [[nodiscard]] const Components& clusters() const { return *clusters_; }
  [[nodiscard]] std::span<const double> log_weights() const { return log_weights_; }
  [[nodiscard]] FrontUnits units(Front front) const {
    return {{tree_, nodes_}, std::make_shared<const Front>(std::move(front))};
  }
  [[nodiscard]] Expectation of(Front front, const ExpectationOptions& options = {}) {
    const FrontUnits of_front = units(std::move(front));
    return of(Units(of_front), options);
  }
  [[nodiscard]] Expectation of(const Units& units, const ExpectationOptions& options = {}) {
    return expectation(local_.get(), units, *clusters_, log_weights_, options);
  }
  [[nodiscard]] Expectation of_rows(const ExpectationOptions& options = {}) { return of(listed_, options); }

  // From the root down to the rows, one with half of the leaves opened among them.
  [[nodiscard]] std::vector<Front> fronts() const {
    std::vector<Front> fronts;
    for (std::size_t depth = 0; depth <= tree_.depth(); ++depth) fronts.push_back(Front::at_depth(tree_, depth));
    fronts.push_back(Front::of_leaves(tree_));
    std::vector<std::size_t> every_second;
    for (std::size_t leaf = 0; leaf < fronts.back().size(); leaf += 2) every_second.push_back(leaf);
    fronts.push_back(fronts.back().opened(every_second));
    fronts.push_back(Front::of_rows(tree_));
    return fronts;
  }

  // The largest number that each of the statistics is summed from.
  [[nodiscard]] double size_of(std::size_t i) const {
    double reach = 0.0;
    for (const double value : tree_.box(0).low) reach = std::max(reach, std::abs(value));
    for (const double value : tree_.box(0).high) reach = std::max(reach, std::abs(value));
    const double weight = nodes_.weight(0);
    return i == 0 ? weight : i <= rows_.n_columns() ? reach : weight * reach * reach;
  }

 private:
  LocalExecution local_;
  Rows rows_;
  Units listed_;
  std::unique_ptr<Components> clusters_;
  KdTree tree_;
  StatsArena nodes_;
  std::vector<double> log_weights_;
};

template <class Check>
void for_each_example(const Check& check) {
  for (const char* shape : {"spherical", "diagonal", "gaussian", "conjugate"}) {
    for (const std::size_t d : {1U, 2U, 5U}) {
      for (const bool is_weighted : {false, true}) {
        SCOPED_TRACE(testing::Message() << shape << ", " << d << " columns" << (is_weighted ? ", weighted" : ""));
        const Dataset data = scattered_rows(n_rows, d, 6, d, 2.0);
        Example example(is_weighted ? data.with_weights(some_weights(n_rows, d)) : data, shape);
        check(example);
      }
    }
  }
}

// Of families whose cost is not minus the log predictive density only the former adds up over fronts.
constexpr ExpectationOptions by_cost{.densities = Densities::expected};

TEST(Expectation, AllClustersTogetherAreTheSameForEveryFront) {
  for_each_example([](Example& example) {
    for (const Front& front : example.fronts()) {
      SCOPED_TRACE(front.size());
      const Expectation found = example.of(front);
      ASSERT_EQ(found.stats.size(), k);
      StatsArena all(1, found.stats.stats_size());
      for (std::size_t c = 0; c < k; ++c) example.clusters().merge(all[0], found.stats[c]);
      for (std::size_t i = 0; i < all.stats_size(); ++i) {
        ASSERT_NEAR(all[0][i], example.nodes()[0][i], 1e-11 * example.size_of(i)) << "number " << i;
      }
    }
  });
}

TEST(Expectation, OfOpenedRowsIsThatOfRows) {
  for_each_example([](Example& example) {
    for (const Densities densities : {Densities::predictive, Densities::expected}) {
      const ExpectationOptions options{.densities = densities, .gives_labels = true};
      const Expectation expected = example.of_rows(options);
      const FrontUnits opened = example.units(Front::of_rows(example.tree()));
      const Expectation found = example.of(Units(opened), options);
      EXPECT_NEAR(found.log_likelihood, expected.log_likelihood, 1e-12 * std::abs(expected.log_likelihood));
      for (std::size_t c = 0; c < k; ++c) {
        for (std::size_t i = 0; i < found.stats.stats_size(); ++i) {
          ASSERT_NEAR(found.stats[c][i], expected.stats[c][i], 1e-12 * example.size_of(i)) << c << ' ' << i;
        }
      }
      EXPECT_EQ(opened.front->by_row(found.labels), expected.labels);
      EXPECT_EQ(found.distances, expected.distances);
    }
  });
}

// Jensen's inequality, node by node: rows that share alike share worse.
TEST(Expectation, ADeeperFrontNeverLowersTheLikelihood) {
  for_each_example([](Example& example) {
    double before = -std::numeric_limits<double>::infinity();
    std::vector<Front> fronts = example.fronts();
    for (const Front& front : fronts) {
      const double found = example.of(front, by_cost).log_likelihood;
      EXPECT_GE(found, before - 1e-12 * std::abs(found)) << front.size() << " units";
      before = found;
    }
    EXPECT_GT(before, example.of(fronts.front(), by_cost).log_likelihood + 1.0) << "the root ties everything";
  });
}

TEST(Expectation, LeavesAreTheDeepestNodes) {
  for_each_example([](Example& example) {
    const Expectation leaves = example.of(Front::of_leaves(example.tree()));
    const Expectation deepest = example.of(Front::at_depth(example.tree(), example.tree().depth()));
    EXPECT_EQ(leaves.stats, deepest.stats);
    EXPECT_EQ(leaves.log_likelihood, deepest.log_likelihood);
  });
}

// The root's cost is that of all rows, so that one unit has one share for all of them.
TEST(Expectation, OfTheRootSharesOutEverythingAlike) {
  for_each_example([](Example& example) {
    const Expectation root = example.of(Front::at_depth(example.tree(), 0));
    double total = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      total += root.stats.weight(c);
      if (!(root.stats.weight(c) > 1e-6)) continue;
      for (std::size_t i = 1; i <= example.rows().n_columns(); ++i) {
        EXPECT_NEAR(root.stats[c][i], example.nodes()[0][i], 1e-12 * example.size_of(i)) << "the mean of all rows";
      }
    }
    EXPECT_NEAR(total, example.nodes().weight(0), 1e-12 * total);
  });
}

TEST(Expectation, UnitsCountAndHaveTheirMasses) {
  for_each_example([](Example& example) {
    for (const Front& front : example.fronts()) {
      const FrontUnits of_front = example.units(front);
      const Units units(of_front);
      ASSERT_EQ(units.size(), front.size());
      EXPECT_EQ(example.of(units).distances, front.size() * k);
      double mass = 0.0;
      for (std::size_t unit = 0; unit < units.size(); ++unit) {
        double expected = 0.0;
        if (unit < front.nodes().size()) {
          const KdTree::Node node = example.tree().node(front.nodes()[unit]);
          for (std::size_t place = node.first; place < node.last; ++place) {
            expected += example.rows().weight(example.tree().order()[place]);
          }
        } else {
          expected = example.rows().weight(example.tree().order()[front.rows()[unit - front.nodes().size()]]);
        }
        ASSERT_NEAR(units.weight(unit), expected, 1e-12 * n_rows) << unit;
        mass += units.weight(unit);
      }
      EXPECT_NEAR(mass, example.nodes().weight(0), 1e-12 * mass);
    }
  });
}

// The largest share is the least cost and offset, as in an assignment.
TEST(Expectation, LabelsAreOnePerUnitIfAskedFor) {
  Example example(scattered_rows(n_rows, 2, 6, 2, 2.0), "gaussian");
  EXPECT_TRUE(example.of(Front::of_leaves(example.tree())).labels.empty());
  for (const Front& front : example.fronts()) {
    const Expectation found = example.of(front, {.gives_labels = true});
    ASSERT_EQ(found.labels.size(), front.size());
    for (std::size_t unit = 0; unit < front.nodes().size(); ++unit) {
      const ConstStatsRef node = example.nodes()[front.nodes()[unit]];
      double least = std::numeric_limits<double>::infinity();
      double chosen = 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        const double cost = example.clusters().node_cost(c, node) / node[0] - example.log_weights()[c];
        least = std::min(least, cost);
        if (static_cast<std::int32_t>(c) == found.labels[unit]) chosen = cost;
      }
      EXPECT_NEAR(chosen, least, 1e-9) << unit;
    }
  }
}

TEST(Expectation, TheBitsDoNotDependOnTheNumberOfThreads) {
  const Dataset data = scattered_rows(20000, 2, 6, 3, 2.0).with_weights(some_weights(20000, 3));
  for (const auto make : {&Front::of_leaves, &Front::of_rows}) {
    std::vector<Expectation> found;
    for (const std::size_t n_threads : {1U, 2U, 5U}) {
      Example example(data, "gaussian", n_threads);
      found.push_back(example.of(make(example.tree())));
    }
    for (const Expectation& other : found) {
      EXPECT_EQ(other.stats, found.front().stats);
      EXPECT_EQ(other.log_likelihood, found.front().log_likelihood);
    }
  }
}

}  // namespace
}  // namespace coppice::internal
