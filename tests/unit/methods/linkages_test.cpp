// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/linkages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/data/generate.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/methods/without_result.hpp"

namespace coppice {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Dataset one_column(std::vector<double> values) {
  const std::size_t n = values.size();
  return Dataset::from_rows(std::move(values), n, 1);
}

// Two rows near 10, three near 0, one at 30.
Dataset groups() { return one_column({10.0, 0.0, 30.0, 0.5, 10.25, 1.0}); }

Dendrogram with_heights(const std::vector<double>& heights) {
  const auto n = static_cast<std::uint32_t>(heights.size() + 1);
  Dendrogram tree{n, {}};
  for (std::uint32_t i = 0; i + 1 < n; ++i) tree.merges.push_back({i + 1, i == 0 ? 0 : n + i - 1, heights[i], i + 2.0});
  return tree;
}

template <class Error, class Method>
std::string refusal(const Dataset& data, const Method& method) {
  try {
    (void)fit(data, method);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(TreeCut, AtAHeightAllMergesUpToItAreMade) {
  const Dendrogram tree = with_heights({1.0, 2.0, 2.0, 5.0});
  EXPECT_EQ(clusters_at_height(tree, 0.0), 5U);
  EXPECT_EQ(clusters_at_height(tree, 1.0), 4U);
  EXPECT_EQ(clusters_at_height(tree, 1.9), 4U);
  EXPECT_EQ(clusters_at_height(tree, 2.0), 2U);
  EXPECT_EQ(clusters_at_height(tree, 5.0), 1U);
}

TEST(TreeCut, AtTheWidestGap) {
  EXPECT_EQ(clusters_at_widest_gap(with_heights({1.0, 2.0, 4.5, 5.0})), 3U);
  EXPECT_EQ(clusters_at_widest_gap(with_heights({1.0, 2.0, 3.0, 5.0})), 2U);
  EXPECT_EQ(clusters_at_widest_gap(with_heights({0.0, 2.0, 3.0, 3.5})), 4U);
}

TEST(TreeCut, OfEqualGapsTheOneWithFewerClusters) {
  EXPECT_EQ(clusters_at_widest_gap(with_heights({1.0, 3.0, 5.0, 7.0})), 2U);
  EXPECT_EQ(clusters_at_widest_gap(with_heights({1.0, 3.0, 5.0, 5.0})), 3U);
}

TEST(TreeCut, WithoutAGapThereIsOneCluster) {
  EXPECT_EQ(clusters_at_widest_gap(with_heights({2.0, 2.0, 2.0})), 1U);
  EXPECT_EQ(clusters_at_widest_gap(with_heights({7.0})), 1U);
  EXPECT_EQ(clusters_at_widest_gap({1, {}}), 1U);
}

TEST(Linkages, LabelsAreALevelOfTheTreeAndGoBySize) {
  const Fit found = fit(groups(), WardLinkage{.k = 3});
  EXPECT_THAT(found.labels, ElementsAre(1, 0, 2, 0, 1, 0));
  EXPECT_THAT(found.probabilities, IsEmpty());
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.model.method(), "ward");
  EXPECT_EQ(found.model.components().family(), "centroid");
  EXPECT_EQ(found.hierarchy->tree.n_leaves, 6U);
  EXPECT_THAT(found.hierarchy->objective, IsEmpty());
  EXPECT_EQ(found.model.objective(), 0.5 + 0.25 * 0.25 / 2.0);
  EXPECT_THAT(found.model.mean(1), ElementsAre(10.125));
}

TEST(Linkages, CutAtAHeight) {
  EXPECT_EQ(fit(groups(), SingleLinkage{.height = 0.25}).model.k(), 5U);
  EXPECT_EQ(fit(groups(), SingleLinkage{.height = 0.5}).model.k(), 3U);
  EXPECT_EQ(fit(groups(), CompleteLinkage{.height = 0.5}).model.k(), 4U);
  EXPECT_EQ(fit(groups(), SingleLinkage{.height = 9.0}).model.k(), 2U);
  EXPECT_EQ(fit(groups(), SingleLinkage{.height = 1000.0}).model.k(), 1U);
}

TEST(Linkages, WithoutAWordTheWidestGapIsTaken) {
  // Single: heights 0.25, 0.5, 0.5, 9, 19.75.
  const Fit found = fit(groups(), SingleLinkage{});
  EXPECT_EQ(found.model.k(), 2U);
  EXPECT_THAT(found.assign.why.plain(), HasSubstr("9 to 19.75"));
}

TEST(Linkages, HaveATreeAndOneClusterForOneRow) {
  const Fit found = fit(one_column({4.0}), AverageLinkage{});
  EXPECT_THAT(found.labels, ElementsAre(0));
  EXPECT_EQ(found.hierarchy->tree, (Dendrogram{1, {}}));
}

TEST(Linkages, RefuseWhatTheyCannotDo) {
  EXPECT_EQ(refusal<OptionError>(groups(), WardLinkage{.k = 7}), "k is 7, but the data has 6 rows; choose 1 to 6");
  EXPECT_EQ(refusal<OptionError>(groups(), WardLinkage{.k = 0}), refusal<OptionError>(groups(), SingleLinkage{.k = 0}));
  EXPECT_THAT(refusal<OptionError>(groups(), WardLinkage{.k = 2, .height = 1.0}), HasSubstr("k and height"));
  EXPECT_THAT(refusal<OptionError>(groups(), SingleLinkage{.height = -1.0}), HasSubstr("height is -1"));
  const Dataset weighted = groups().with_weights({1.0, 0.0, 1.0, 1.0, 0.0, 1.0});
  EXPECT_EQ(refusal<OptionError>(weighted, SingleLinkage{.k = 5}),
            "k is 5, but weight lies on 4 rows only; choose 1 to 4");
}

TEST(Linkages, RowsWithoutWeightFollowTheTree) {
  const Dataset weighted = groups().with_weights({1.0, 0.0, 1.0, 1.0, 0.0, 1.0});
  const Fit found = fit(weighted, CompleteLinkage{.k = 4});
  EXPECT_EQ(found.labels[1], found.labels[3]);
  EXPECT_EQ(found.labels[4], found.labels[0]);
  EXPECT_EQ(found.model.total_weight(), 4.0);
}

TEST(Linkages, AStopBeforeTheTreeIsWholeLeavesNothing) {
  const std::atomic<bool> interrupted = true;
  EXPECT_EQ(without_result(groups(), WardLinkage{.k = 3}, {.interrupted = &interrupted}), StopReason::cancelled);
  EXPECT_EQ(without_result(groups(), SingleLinkage{}, {.time_limit = 1e-9}), StopReason::time_limit);
}

TEST(Linkages, TheObserverCanStop) {
  std::vector<std::size_t> heard;
  const Observer observer = [&](const State& state) {
    heard.push_back(state.progress.k);
    return heard.size() == 2 ? Next::stop : Next::carry_on;
  };
  EXPECT_EQ(without_result(groups(), AverageLinkage{}, {.observer = observer}), StopReason::cancelled);
  EXPECT_THAT(heard, ElementsAre(5, 4));
}

TEST(Linkages, ScoreIsThatOfKMeans) {
  const Dataset data = generate(GaussianMixture{.n_rows = 100, .n_columns = 3, .k = 4, .seed = 2}).data;
  const Fit found = fit(data, WardLinkage{.k = 4});
  EXPECT_EQ(score(data, found.labels, WardLinkage{}), found.model.objective());
  EXPECT_EQ(score(data, found.labels, WardLinkage{}), score(data, found.labels, KMeans{}));
}

TEST(Linkages, KeepTheirDigitsFarFromZero) {
  const Dataset near = generate(GaussianMixture{.n_rows = 200, .n_columns = 2, .k = 3, .seed = 4}).data;
  std::vector<double> values(near.doubles().begin(), near.doubles().end());
  for (double& value : values) value = std::ldexp(std::nearbyint(std::ldexp(value, 10)), -10);
  const Dataset rounded = Dataset::from_rows(values, 200, 2);
  for (double& value : values) value += 1e9;
  const Dataset far = Dataset::from_rows(std::move(values), 200, 2);
  EXPECT_EQ(fit(rounded, WardLinkage{.k = 5}).labels, fit(far, WardLinkage{.k = 5}).labels);
  const Dendrogram tree = fit(rounded, WardLinkage{}).hierarchy->tree;
  const Dendrogram other = fit(far, WardLinkage{}).hierarchy->tree;
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    ASSERT_NEAR(tree.merges[i].height, other.merges[i].height, 1e-9 * (1.0 + tree.merges[i].height));
  }
}

}  // namespace
}  // namespace coppice
