// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/partition_prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <ostream>
#include <vector>

#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/partition/one_cluster.hpp"

namespace coppice {
namespace {

using Sizes = std::vector<double>;

double total_of(const Sizes& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0.0); }
double objective(const PartitionPrior& prior, const Sizes& sizes) { return prior.objective(sizes, total_of(sizes)); }

// Sum of exp(-objective) over all labellings of n rows with k labels; sizes of every one are built row by row.
double sum_over_labellings(const PartitionPrior& prior, std::size_t n, Sizes& sizes) {
  if (n == 0) return std::exp(-objective(prior, sizes));
  double sum = 0.0;
  for (double& size : sizes) {
    size += 1.0;
    sum += sum_over_labellings(prior, n - 1, sizes);
    size -= 1.0;
  }
  return sum;
}

// The same over all set partitions: a row joins a set or opens the next.
double sum_over_partitions(const PartitionPrior& prior, std::size_t n, Sizes& sizes) {
  if (n == 0) return std::exp(-objective(prior, sizes));
  double sum = 0.0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    sizes[c] += 1.0;
    sum += sum_over_partitions(prior, n - 1, sizes);
    sizes[c] -= 1.0;
  }
  sizes.push_back(1.0);
  sum += sum_over_partitions(prior, n - 1, sizes);
  sizes.pop_back();
  return sum;
}

TEST(Dirichlet, LabellingsSumToOne) {
  for (const double phi0 : {0.1, 1.0, 2.0, 7.5}) {
    for (std::size_t k = 1; k <= 4; ++k) {
      for (std::size_t n = 1; n <= 6; ++n) {
        Sizes sizes(k, 0.0);
        EXPECT_NEAR(sum_over_labellings(*make_dirichlet(phi0), n, sizes), 1.0, 1e-12) << phi0 << ' ' << k << ' ' << n;
      }
    }
  }
}

TEST(DirichletProcess, SetPartitionsSumToOne) {
  for (const double alpha : {0.1, 1.0, 2.5, 40.0}) {
    for (std::size_t n = 1; n <= 6; ++n) {
      Sizes sizes;
      EXPECT_NEAR(sum_over_partitions(*make_dirichlet_process(alpha), n, sizes), 1.0, 1e-12) << alpha << ' ' << n;
    }
  }
}

TEST(DirichletProcess, EmptyClustersDoNotCount) {
  const auto prior = make_dirichlet_process(1.3);
  EXPECT_DOUBLE_EQ(objective(*prior, {2.0, 0.0, 6.0}), objective(*prior, {2.0, 6.0}));
}

TEST(Dirichlet, EmptyClustersCountOnlyThroughK) {
  const double phi0 = 2.0;
  const auto prior = make_dirichlet(phi0);
  const auto level = [&](double k) { return kernels::log_gamma(8.0 + k * phi0) - kernels::log_gamma(k * phi0); };
  const double difference = objective(*prior, {2.0, 0.0, 6.0, 0.0}) - objective(*prior, {2.0, 6.0});
  EXPECT_NEAR(difference, level(4.0) - level(2.0), 1e-12);
}

// All priors, several parameters.
struct Choice {
  const char* name;
  double parameter;
};
void PrintTo(const Choice& choice, std::ostream* out) { *out << choice.name << '_' << choice.parameter; }

class AnyPrior : public testing::TestWithParam<Choice> {
 protected:
  const std::unique_ptr<PartitionPrior> prior = make_partition_prior(GetParam().name, GetParam().parameter);
};
INSTANTIATE_TEST_SUITE_P(Priors, AnyPrior,
                         testing::Values(Choice{"dirichlet", 0.3}, Choice{"dirichlet", 2.0}, Choice{"dp", 0.5},
                                         Choice{"dp", 3.0}));

TEST_P(AnyPrior, MergeGainsAreDifferencesOfObjectives) {
  for (const Sizes& sizes : {Sizes{3.0, 1.0, 4.0}, Sizes{1.0, 1.0}, Sizes{2.5, 0.75, 100.0, 6.0}}) {
    for (std::size_t a = 0; a < sizes.size(); ++a) {
      for (std::size_t b = a + 1; b < sizes.size(); ++b) {
        Sizes merged = sizes;
        merged[a] += merged[b];
        merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(b));
        const double gain =
            prior->merges().pair(sizes[a], sizes[b]) + prior->merges().level(total_of(sizes), sizes.size());
        EXPECT_NEAR(gain, objective(*prior, merged) - objective(*prior, sizes), 1e-10);
      }
    }
  }
}

// Taking in rows one after the other by their shares gives the probability of the whole.
TEST_P(AnyPrior, SharesChainToTheObjective) {
  const std::vector<std::size_t> labels = {0, 0, 1, 0, 2, 1, 1};
  Sizes sizes(3, 0.0);
  const bool is_process = prior->name() == "dp";
  double log_probability = 0.0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    double& size = sizes[labels[n]];
    const auto total = static_cast<double>(n);
    log_probability += is_process && size == 0.0 ? log_remainder(*prior, total) : log_share(*prior, size, total, 3);
    size += 1.0;
  }
  EXPECT_NEAR(-log_probability, objective(*prior, sizes), 1e-12);
}

// E[log weight] is the slope of log p(labels) in the size of a cluster, by the conjugate identity (iii).
TEST_P(AnyPrior, OffsetIsTheSlopeOfTheObjective) {
  const Sizes sizes = {3.0, 1.5, 8.0};
  const double h = 1e-5;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    Sizes more = sizes;
    Sizes less = sizes;
    more[c] += h;
    less[c] -= h;
    const double slope = (objective(*prior, more) - objective(*prior, less)) / (2.0 * h);
    EXPECT_NEAR(offset(*prior, sizes[c], total_of(sizes), sizes.size()), slope, 1e-8);
  }
}

TEST_P(AnyPrior, AClonesAnswersAreTheSame) {
  const auto copy = prior->clone();
  EXPECT_EQ(copy->name(), prior->name());
  EXPECT_EQ(copy->parameters(), prior->parameters());
  EXPECT_EQ(objective(*copy, {3.0, 4.0}), objective(*prior, {3.0, 4.0}));
}

TEST(Dirichlet, OffsetIsMinusTheExpectedLogWeight) {
  const double phi0 = 1.7;
  const double expected = kernels::digamma(phi0 + 4.0) - kernels::digamma(11.0 + 3.0 * phi0);
  EXPECT_NEAR(offset(*make_dirichlet(phi0), 4.0, 11.0, 3), -expected, 1e-14);
  EXPECT_TRUE(std::isfinite(offset(*make_dirichlet(phi0), 0.0, 11.0, 3)));
}

TEST(DirichletProcess, NobodyJoinsAnEmptyCluster) {
  const auto prior = make_dirichlet_process(2.0);
  EXPECT_EQ(offset(*prior, 0.0, 11.0, 3), std::numeric_limits<double>::infinity());
  const double expected = kernels::digamma(4.0) - kernels::digamma(13.0);
  EXPECT_NEAR(offset(*prior, 4.0, 11.0, 3), -expected, 1e-14);
}

TEST(Dirichlet, NoNewClusterCanCome) {
  EXPECT_EQ(log_remainder(*make_dirichlet(2.0), 5.0), -std::numeric_limits<double>::infinity());
}

// K -> infinity with phi0 = alpha / K, times the K! / (K - K+)! labellings of one set partition.
TEST(DirichletProcess, IsTheLimitOfTheFiniteModel) {
  const double alpha = 1.3;
  const Sizes sizes = {3.0, 1.0, 4.0, 1.0};
  const double limit = objective(*make_dirichlet_process(alpha), sizes);
  double last_gap = std::numeric_limits<double>::infinity();
  for (const std::size_t k : {100U, 1000U, 10000U, 100000U}) {
    const auto labels = static_cast<double>(k);
    Sizes padded = sizes;
    padded.resize(k, 0.0);
    double log_relabellings = 0.0;
    for (std::size_t c = 0; c < sizes.size(); ++c) log_relabellings += std::log(labels - static_cast<double>(c));
    const double gap = std::abs(objective(*make_dirichlet(alpha / labels), padded) - log_relabellings - limit);
    EXPECT_LT(gap, 30.0 / labels);
    EXPECT_LT(gap, last_gap);
    last_gap = gap;
  }
}

// k-means: labels are for the data alone to decide.
TEST(NoPartitionPrior, HasNoSay) {
  const auto prior = make_no_partition_prior();
  for (const double size : {0.0, 1.0, 7.5}) {
    EXPECT_EQ(offset(*prior, size, 10.0, 3), 0.0) << "not even against an empty cluster";
    EXPECT_EQ(log_share(*prior, size, 10.0, 3), 0.0);
  }
  EXPECT_EQ(objective(*prior, {3.0, 4.0, 0.0}), 0.0);
  EXPECT_EQ(objective(*prior, {}), 0.0);
  EXPECT_EQ(prior->merges().pair(3.0, 4.0) + prior->merges().level(7.0, 2), 0.0);
  EXPECT_EQ(log_remainder(*prior, 10.0), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(prior->is_monotone());
}

TEST(NoPartitionPrior, GoesByItsName) {
  for (const auto& prior :
       {make_no_partition_prior(), make_no_partition_prior()->clone(), make_partition_prior("none", 0.0)}) {
    EXPECT_EQ(prior->name(), "none");
    EXPECT_TRUE(prior->parameters().empty());
  }
}

TEST(PartitionPrior, OnlyTheFiniteOneNeverNeedsRepair) {
  EXPECT_TRUE(make_dirichlet(2.0)->is_monotone());
  EXPECT_FALSE(make_dirichlet_process(2.0)->is_monotone());
}

TEST_P(AnyPrior, ATableOfSharesAnswersForOtherSizes) {
  const Sizes sizes = {3.0, 1.5, 8.0};
  const auto table = prior->share_table(sizes, 12.5);
  const std::vector<double> now = log_shares_of(*prior, sizes, 12.5);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    EXPECT_EQ(table->log_share(c), now[c]);
    Sizes less = sizes;
    less[c] -= 1.0;
    EXPECT_EQ(table->log_share_if(c, less[c]), log_shares_of(*prior, less, 12.5)[c]);
  }
}

TEST_P(AnyPrior, SomeClustersAreToldAsAllAre) {
  const Sizes sizes = {3.0, 1.5, 8.0};
  const std::vector<double> all = offsets_of(*prior, sizes, 12.5);
  std::vector<double> some(2);
  prior->offsets(sizes, 12.5, some);
  EXPECT_EQ(some, std::vector<double>(all.begin(), all.begin() + 2));
}

TEST_P(AnyPrior, IsMadeAgainFromItsParameters) {
  const auto again = make_partition_prior(prior->name(), prior->parameters());
  EXPECT_EQ(again->parameters(), prior->parameters());
  ASSERT_EQ(again->parameters().size(), 1U);
  EXPECT_EQ(again->parameters()[0].value, GetParam().parameter);
  EXPECT_EQ(objective(*again, {3.0, 4.0}), objective(*prior, {3.0, 4.0}));
}

TEST(PartitionPrior, ParametersGoByTheirNames) {
  using Parameters = std::vector<NamedParameter>;
  EXPECT_EQ(make_partition_prior("dp", Parameters{{"alpha", 2.5}})->parameters(), (Parameters{{"alpha", 2.5}}));
  EXPECT_EQ(make_partition_prior("shares", Parameters{})->name(), "shares");
  EXPECT_THROW((void)make_partition_prior("dp", Parameters{{"phi0", 2.5}}), OptionError);
  EXPECT_THROW((void)make_partition_prior("dp", Parameters{}), OptionError);
  EXPECT_THROW((void)make_partition_prior("dp", Parameters{{"alpha", 2.5}, {"phi0", 1.0}}), OptionError);
  EXPECT_THROW((void)make_partition_prior("none", Parameters{{"alpha", 2.5}}), OptionError);
  EXPECT_THROW((void)make_partition_prior("dp", Parameters{{"alpha", -2.5}}), OptionError);
}

TEST(PartitionPrior, WrongNamesAndParametersAreRefused) {
  EXPECT_THROW((void)make_partition_prior("pitman-yor", 1.0), OptionError);
  for (const double parameter : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THROW((void)make_partition_prior("dirichlet", parameter), OptionError) << parameter;
    EXPECT_THROW((void)make_partition_prior("dp", parameter), OptionError) << parameter;
  }
}

}  // namespace
}  // namespace coppice
