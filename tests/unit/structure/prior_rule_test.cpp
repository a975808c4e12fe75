// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/prior_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/runtime/error.hpp"
#include "coppice/structure/smallest_distances.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

NormalWishart prior_of(const Dataset& data, const GaussianPriorChoices& choices = {}) {
  LocalExecution local(1);
  return paper_prior(local.get(), Rows(data, fixed_origin(local.get(), data)), choices);
}

double trace_of(const NormalWishart& prior) {
  const std::size_t d = prior.m0.size();
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) sum += prior.b0[i * d + i];
  return sum;
}

TEST(DataMoments, AreMeanAndCovarianceByWeight) {
  const Dataset data =
      Dataset::from_rows(std::vector<double>{0, 0, 2, 4, 100, 100}, 3, 2).with_weights({3.0, 1.0, 0.0});
  LocalExecution local(1);
  const DataMoments moments = data_moments(local.get(), Rows(data, {1.0, -1.0}));
  EXPECT_EQ(moments.weight, 4.0);
  EXPECT_DOUBLE_EQ(moments.mean[0], 0.5 - 1.0);
  EXPECT_DOUBLE_EQ(moments.mean[1], 1.0 + 1.0);
  const std::vector<double> expected = {0.75, 1.5, 1.5, 3.0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(moments.covariance[i], expected[i], 1e-15);
}

TEST(PaperPrior, IsTheRuleOfThePaper) {
  const Dataset data = scattered_rows(200, 3, 4, 1);
  LocalExecution local(1);
  const Rows rows(data, fixed_origin(local.get(), data));
  const NormalWishart prior = prior_of(data);
  const DataMoments moments = data_moments(local.get(), rows);
  const KdTree tree(local.get(), rows, 32);
  const double small_distance =
      mean_smallest_distance(local.get(), tree, neighbour_queries(local.get(), tree.rows().data()));
  const double trace = moments.covariance[0] + moments.covariance[4] + moments.covariance[8];
  EXPECT_EQ(prior.xi0, 0.1);
  EXPECT_EQ(prior.eta0, 3.0);
  EXPECT_EQ(prior.m0, moments.mean);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(prior.b0[i], small_distance * small_distance * 3.0 * moments.covariance[i] / trace,
                1e-14 * small_distance * small_distance);
  }
}

TEST(PaperPrior, IsWeakAndRoundFromTheBottomUp) {
  const Dataset data = scattered_rows(200, 3, 4, 1);
  LocalExecution local(1);
  const Rows rows(data, fixed_origin(local.get(), data));
  const NormalWishart prior = paper_prior(local.get(), rows, {}, nullptr, PaperRule::bottom_up);
  const KdTree tree(local.get(), rows, 32);
  const double small_distance =
      mean_smallest_distance(local.get(), tree, neighbour_queries(local.get(), tree.rows().data()));
  EXPECT_EQ(prior.xi0, 0.01);
  EXPECT_EQ(prior.eta0, 3.0);
  EXPECT_EQ(prior.m0, data_moments(local.get(), rows).mean);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(prior.b0[i], i % 4 == 0 ? 0.01 * small_distance * small_distance : 0.0, 1e-16);
  }
}

TEST(PaperPrior, IsTheSameWithATreeThatIsThereAlready) {
  const Dataset data = scattered_rows(500, 3, 4, 5).with_weights(some_weights(500, 5));
  LocalExecution local(1);
  const Rows rows(data, fixed_origin(local.get(), data));
  const NormalWishart expected = paper_prior(local.get(), rows, {});
  for (const std::size_t leaf_capacity : {3U, 100U, 1000U}) {
    const KdTree tree(local.get(), rows, leaf_capacity);
    const NormalWishart prior = paper_prior(local.get(), rows, {}, &tree);
    EXPECT_EQ(prior.m0, expected.m0);
    EXPECT_EQ(prior.b0, expected.b0);
  }
}

TEST(PaperPrior, TakesWhatTheUserGives) {
  const Dataset data = scattered_rows(50, 2, 2, 2);
  LocalExecution local(1);
  const std::vector<double> origin = fixed_origin(local.get(), data);
  const NormalWishart prior = prior_of(data, {.xi0 = 0.7, .eta0 = 9.0, .m0 = {1.0, 2.0}, .b0 = {4.0, 1.0, 1.0, 3.0}});
  EXPECT_EQ(prior.xi0, 0.7);
  EXPECT_EQ(prior.eta0, 9.0);
  EXPECT_EQ(prior.b0, (std::vector<double>{4.0, 1.0, 1.0, 3.0}));
  for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(prior.m0[c], (c == 0 ? 1.0 : 2.0) - origin[c]);
  EXPECT_THROW((void)prior_of(data, {.xi0 = {}, .eta0 = {}, .m0 = {1.0}, .b0 = {}}), OptionError);
}

TEST(PaperPrior, OneRowOrEqualRowsGiveTheIdentity) {
  const std::vector<double> identity = {1.0, 0.0, 0.0, 1.0};
  EXPECT_EQ(prior_of(Dataset::from_rows(std::vector<double>{5.0, -3.0}, 1, 2)).b0, identity);
  EXPECT_EQ(prior_of(Dataset::from_rows(std::vector<double>{5, -3, 5, -3, 5, -3}, 3, 2)).b0, identity);
  const Dataset one_counts = Dataset::from_rows(std::vector<double>{5, -3, 6, 7}, 2, 2).with_weights({1.0, 0.0});
  EXPECT_EQ(prior_of(one_counts).b0, identity);
}

// Rows that all have copies: distances of 0 do not count.
TEST(PaperPrior, DuplicatesDoNotMakeItSingular) {
  const NormalWishart prior = prior_of(Dataset::from_rows(std::vector<double>{0, 0, 1, 1, 3, 3}, 6, 1));
  // Nearest distances to different values: 1 (from 0), 1 (from 1), 2 (from 3).
  EXPECT_NEAR(prior.b0[0], std::pow(4.0 / 3.0, 2), 1e-14);
}

TEST(PaperB0, WithoutADistanceItIsAThousandthOfTheSpread) {
  const DataMoments moments{10.0, {0.0, 0.0}, {4.0, 0.0, 0.0, 2.0}};
  const std::vector<double> b0 = paper_b0(moments, 0.0);
  // small_distance = 1e-3 sqrt(6 / 2), so that B0 = 3e-6 * 2 S / 6.
  EXPECT_NEAR(b0[0], 4e-6, 1e-18);
  EXPECT_NEAR(b0[3], 2e-6, 1e-18);
}

// A Gaussian family checks that its prior is proper: B0 positive definite.
TEST(PaperPrior, ConstantAndCollinearColumnsGetAProperPrior) {
  const Dataset data = scattered_rows(100, 2, 3, 3);
  std::vector<double> constant;
  std::vector<double> collinear;
  for (std::size_t row = 0; row < 100; ++row) {
    const double x = data.value(row, 0);
    const double y = data.value(row, 1);
    constant.insert(constant.end(), {x, 7.0, y});
    collinear.insert(collinear.end(), {x, y, 2.0 * x - 3.0 * y});
  }
  for (const std::vector<double>& values : {constant, collinear}) {
    const NormalWishart prior = prior_of(Dataset::from_rows(values, 100, 3));
    EXPECT_NO_THROW((void)Gaussian(prior));
    const double small_distance = std::sqrt(trace_of(prior) / 3.0);
    EXPECT_GT(small_distance, 0.0);
    EXPECT_LT(small_distance, 1.0);
  }
}

TEST(PaperPrior, IsGivenEvenIfAskedToStop) {
  std::stop_source source;
  source.request_stop();
  LocalExecution local(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  const Dataset data = scattered_rows(100, 2, 3, 4);
  const NormalWishart prior = paper_prior(local.get(), Rows(data, {0.0, 0.0}), {});
  EXPECT_NO_THROW((void)Gaussian(prior));
}

}  // namespace
}  // namespace coppice::internal
