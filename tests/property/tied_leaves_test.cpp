// SPDX-License-Identifier: BSD-3-Clause
// Leaves of a tree whose rows share a label: the same model over fewer units. They are summaries of rows, so that a fit
// over the leaves' statistics alone, without any tree, says what has to come out.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <memory>
#include <ostream>
#include <string>

#include "coppice/structure/search.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

double rounding(double objective) { return 1e-9 * (1.0 + std::abs(objective)); }

// The leaves of one tree twice: tied in the tree, and as summaries.
class TiedLeaves {
 public:
  TiedLeaves(const Dataset& data, std::size_t capacity, std::unique_ptr<PartitionPrior> partition)
      : example_(data, capacity),
        partition_(std::move(partition)),
        summaries_(0, example_.stats().stats_size()),
        tied_(example_.tied()),
        listed_(summaries_) {
    for (const std::size_t leaf : example_.tree().leaves()) {
      leaves_.push_back(example_.tree().node(leaf));
      summaries_.append(example_.stats()[leaf]);
    }
    for (std::size_t leaf = 0; leaf < n_leaves(); ++leaf) total_ += summaries_.weight(leaf);
  }

  [[nodiscard]] std::size_t n_leaves() const { return leaves_.size(); }
  [[nodiscard]] const Units& tied() const { return tied_; }
  [[nodiscard]] const FamilyAdapter<Gaussian>& family() const { return example_.family(); }
  [[nodiscard]] Execution execution() { return example_.execution(); }
  [[nodiscard]] Problem problem(const Units& units) const { return {units, family(), *partition_, total_}; }
  [[nodiscard]] MaximizationExpectation me() { return {execution(), problem(tied_), journals_.emplace_back()}; }
  [[nodiscard]] MaximizationExpectation me_of_summaries() {
    return {execution(), problem(listed_), journals_.emplace_back()};
  }

  // The objective from the labels of the rows alone.
  [[nodiscard]] double objective(const Labels& labels) {
    return labelling_objective(execution(), example_.rows(), family(), *partition_, labels.by_row());
  }

  // One label per row of the table, from one per leaf.
  [[nodiscard]] LabelList by_row(const LabelList& by_leaf) const {
    LabelList labels(example_.rows().size());
    for (std::size_t leaf = 0; leaf < n_leaves(); ++leaf) {
      for (std::uint32_t at = leaves_[leaf].first; at < leaves_[leaf].last; ++at) {
        labels[example_.tree().order()[at]] = by_leaf[leaf];
      }
    }
    return labels;
  }

  // One label per leaf, of which every row must have it.
  [[nodiscard]] LabelList by_leaf(const Labels& labels) const {
    const LabelList by_row = labels.by_row();
    LabelList by_leaf;
    for (const KdTree::Node& leaf : leaves_) {
      by_leaf.push_back(by_row[example_.tree().order()[leaf.first]]);
      for (std::uint32_t at = leaf.first; at < leaf.last; ++at) {
        EXPECT_EQ(by_row[example_.tree().order()[at]], by_leaf.back()) << "a leaf is divided at place " << at;
      }
    }
    return by_leaf;
  }

  // Leaves without weight may be anywhere.
  void expect_same(const Labels& tied, const Labels& of_summaries) const {
    const LabelList labels = by_leaf(tied);
    const LabelList expected = of_summaries.by_unit();
    ASSERT_EQ(labels.size(), expected.size());
    for (std::size_t leaf = 0; leaf < n_leaves(); ++leaf) {
      if (summaries_.weight(leaf) <= 0.0) continue;
      ASSERT_EQ(labels[leaf], expected[leaf]) << "leaf " << leaf;
    }
  }

 private:
  TreeExample example_;
  std::unique_ptr<PartitionPrior> partition_;
  StatsArena summaries_;
  std::vector<KdTree::Node> leaves_;
  double total_ = 0.0;
  Units tied_;
  Units listed_;
  std::deque<Journal> journals_;
};

struct Case {
  std::size_t n_columns;
  std::size_t capacity;
  bool has_weights;
};
std::string name_of(const Case& test) {
  return std::to_string(test.n_columns) + "Columns_LeavesOf" + std::to_string(test.capacity) +
         (test.has_weights ? "_Weights" : "");
}
void PrintTo(const Case& test, std::ostream* out) { *out << name_of(test); }

class TiedLeavesTest : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static TiedLeaves leaves(std::uint64_t seed, double spread = 3.0) {
    const Dataset data = scattered_rows(n_rows, GetParam().n_columns, 6, seed, spread);
    return {GetParam().has_weights ? data.with_weights(some_weights(n_rows, seed)) : data, GetParam().capacity,
            partition_number(seed)};
  }
  static constexpr std::size_t n_rows = 5000;
  static constexpr std::uint64_t n_seeds = 4;
};

// Straight from the assignment: an inference that refuses steps upwards would hide them.
TEST_P(TiedLeavesTest, EverySweepLowersTheObjective) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    TiedLeaves test = leaves(seed);
    State state = test.me().from_labels(test.by_row(random_labels(test.n_leaves(), 8, seed)));
    ASSERT_EQ(state.k(), 8U);
    const std::unique_ptr<Components> clusters = test.family().clone();
    const Problem problem = test.problem(test.tied());
    for (std::size_t sweep = 0;; ++sweep) {
      ASSERT_LT(sweep, 500U) << "no end";
      const double before = test.objective(state.labels);
      ASSERT_NEAR(problem.objective(state.stats), before, rounding(before));
      clusters->update(state.stats);
      Assignment next =
          assign(test.execution(), Subset(test.tied()), *clusters, problem.offsets(state.stats), state.labels);
      if (next.labels == state.labels) break;
      state.labels = std::move(next.labels);
      state.stats = std::move(next.stats);
      drop_empty_clusters(state);
      ASSERT_LE(test.objective(state.labels), before + rounding(before)) << "sweep " << sweep << ", seed " << seed;
      (void)test.by_leaf(state.labels);
    }
  }
}

TEST_P(TiedLeavesTest, ConvergeAsTheirSummariesDo) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    TiedLeaves test = leaves(seed);
    const LabelList start = random_labels(test.n_leaves(), 8, seed);
    MaximizationExpectation me = test.me();
    MaximizationExpectation reference = test.me_of_summaries();
    State tied = me.from_labels(test.by_row(start));
    State expected = reference.from_labels(start);
    ASSERT_NEAR(tied.objective, expected.objective, rounding(expected.objective));
    const double before = tied.objective;
    me.converge(tied);
    reference.converge(expected);
    EXPECT_LT(tied.objective, before);
    EXPECT_EQ(me.journal().iterations(), reference.journal().iterations());
    EXPECT_NEAR(tied.objective, expected.objective, rounding(expected.objective));
    EXPECT_NEAR(tied.objective, test.objective(tied.labels), rounding(tied.objective));
    test.expect_same(tied.labels, expected.labels);
  }
}

TEST_P(TiedLeavesTest, AreSearchedAsTheirSummariesAre) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    TiedLeaves test = leaves(seed, 8.0);
    MaximizationExpectation me = test.me();
    MaximizationExpectation reference = test.me_of_summaries();
    State tied = me.single_cluster();
    State expected = reference.single_cluster();
    const double alone = tied.objective;
    search_split_merge(me, tied, {});
    search_split_merge(reference, expected, {});
    EXPECT_GT(tied.k(), 1U);
    EXPECT_LT(tied.objective, alone);
    EXPECT_EQ(tied.k(), expected.k());
    EXPECT_NEAR(tied.objective, expected.objective, rounding(expected.objective));
    EXPECT_NEAR(tied.objective, test.objective(tied.labels), rounding(tied.objective));
    test.expect_same(tied.labels, expected.labels);
  }
}

TEST_P(TiedLeavesTest, AreSearchedForExactlyK) {
  for (const std::size_t k : {2U, 5U, 9U}) {
    TiedLeaves test = leaves(k, 8.0);
    MaximizationExpectation me = test.me();
    State state = me.single_cluster();
    search_split_merge(me, state, {.k = k});
    EXPECT_EQ(state.k(), k);
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
    (void)test.by_leaf(state.labels);
  }
}

// The trace of a search tells every accepted state.
TEST_P(TiedLeavesTest, TheObjectiveNeverRisesDuringASearch) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    TiedLeaves test = leaves(seed, 8.0);
    MaximizationExpectation me = test.me();
    State state = me.single_cluster();
    search_split_merge(me, state, {});
    const std::vector<Progress>& trace = me.journal().trace();
    ASSERT_GT(trace.size(), 2U);
    for (std::size_t i = 1; i < trace.size(); ++i) {
      const double before = trace[i - 1].objective;
      EXPECT_LE(trace[i].objective, before + rounding(before)) << trace[i].phase << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TiedLeavesTest,
                         testing::Values(Case{1, 16, false}, Case{2, 2, true}, Case{2, 32, false}, Case{3, 16, true},
                                         Case{8, 16, false}, Case{8, 40, true}),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace coppice::internal
