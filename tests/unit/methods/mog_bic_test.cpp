// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/mog_bic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "methods/point_clusters.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/two_clusters.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

double rounding(double value) { return 1e-9 * (1.0 + std::abs(value)); }

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = 6.0, .seed = seed});
}

double penalty(const Fit& found, const std::string& family) {
  const double p = bic_parameters(family, found.model.n_columns(), found.model.k());
  return p / 2.0 * std::log(found.model.total_weight());
}

// Everything that holds for any fit, finished or not.
void expect_whole(const Fit& found, const Dataset& data, const MixtureByBic& method) {
  ASSERT_EQ(found.labels.size(), data.n_rows());
  EXPECT_EQ(found.model.method(), "mog-bic");
  EXPECT_EQ(found.labels, found.model.predict(data));
  EXPECT_EQ(found.k_evidence.at(found.model.k()), found.model.objective());
  EXPECT_LE(found.model.k(), method.max_k.value_or(found.model.k()));
  const std::vector<double> log_density = found.model.log_density(data);
  double minus_log_likelihood = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) minus_log_likelihood -= data.weight(row) * log_density[row];
  const double criterion = minus_log_likelihood + penalty(found, method.family);
  if (found.assign.used == "naive") {
    EXPECT_NEAR(found.model.objective(), criterion, rounding(criterion));
    const double hard = score(data, found.labels, method);
    EXPECT_LE(found.model.objective(), hard + rounding(hard)) << "labels cost their entropy";
  } else {
    EXPECT_GE(found.model.objective(), criterion - rounding(criterion)) << "tied leaves are one more demand";
  }
}

TEST(MixtureByBic, FindsSeparatedClusters) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const Generated made = separated(800, 5, seed);
    for (const char* assign : {"naive", "kdtree"}) {
      const MixtureByBic method{.assign = assign};
      const Fit found = fit(made.data, method);
      expect_whole(found, made.data, method);
      EXPECT_EQ(found.model.k(), 5U) << seed;
      EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.9);
    }
  }
  for (const char* family : {"diagonal", "spherical"}) {
    const Dataset round = two_clusters(300, 6.0, 1);
    const MixtureByBic method{.family = family};
    const Fit found = fit(round, method);
    expect_whole(found, round, method);
    EXPECT_EQ(found.model.k(), 2U);
  }
}

// It is no worse than the best of a range from drawn centres, of which it is the same criterion.
TEST(MixtureByBic, ComesBelowTheBestOfARange) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = scattered_rows(400, 2, 5, seed, 2.5).with_weights(some_weights(400, seed));
    const MixtureByBic method{.init = Table{1, 2, {0.0, 0.0}}, .seed = seed};  // all rows, weights as they are
    const Fit found = fit(data, method);
    expect_whole(found, data, method);
    const Fit range = fit(data, GaussianMixtureEm{.k = {1, 8}, .restarts = 3, .seed = seed});
    EXPECT_LE(found.model.objective(), range.criteria.at("bic") + 1.0) << seed << ", K = " << found.model.k();
  }
}

// Their density is the same in every row, whatever the clusters; and there is nothing to be fitted in them.
TEST(MixtureByBic, ConstantColumnsChangeNoNumberOfClusters) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset data = scattered_rows(300, 2, 3, seed, 8.0);
    const Dataset wider = beside_constants(data);
    for (const char* family : {"gaussian", "diagonal"}) {
      const MixtureByBic method{.family = family};
      EXPECT_EQ(fit(wider, method).model.k(), fit(data, method).model.k()) << family << seed;
      const auto added = [&](const std::vector<std::int32_t>& labels) {
        return score(wider, labels, method) - score(data, labels, method);
      };
      const double by_one_cluster = added(std::vector<std::int32_t>(300, 0));
      for (const std::size_t k : {2U, 5U}) {
        EXPECT_NEAR(added(random_labels(300, k, seed)), by_one_cluster, rounding(by_one_cluster));
      }
    }
  }
}

// Weights with fractions say how much rows matter beside each other: their unit is nobody's business.
TEST(MixtureByBic, TheUnitOfMassesChangesNoNumberOfClusters) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const Dataset rows = separated(60, 3, seed).data;
    const auto found_by = [&](double unit) {
      std::vector<double> weights = some_weights(60, seed);
      for (double& weight : weights) weight *= unit;
      const Dataset data = rows.with_weights(weights);
      const Fit found = fit(data, MixtureByBic{});
      expect_whole(found, data, {});
      return found.model.k();
    };
    EXPECT_GE(found_by(1.0), 3U);
    for (const double unit : {1e3, 1e7}) EXPECT_EQ(found_by(unit), found_by(1.0)) << seed << ", unit " << unit;
  }
}

// Three groups of 60 rows, and one row far from all of them, of which alone no cluster may be made.
Dataset beside_a_wild_row(double gap, double wild, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test};
  std::vector<double> values;
  for (std::size_t row = 0; row < 180; ++row) {
    values.push_back((row % 3 == 1 ? gap : row % 3 == 2 ? 0.5 * gap : 0.0) + random.normal());
    values.push_back((row % 3 == 2 ? 0.9 * gap : 0.0) + random.normal());
  }
  values.insert(values.end(), {wild, wild});
  return Dataset::from_rows(std::move(values), 181, 2);
}

// A cluster that is too light may not be dropped with nothing in its place: the three groups, whichever of them has the
// row, are allowed.
TEST(MixtureByBic, AWildRowDoesNotHideTheClusters) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    for (const double gap : {6.0, 10.0}) {
      for (const double wild : {1e3, 1e8}) {
        const Dataset data = beside_a_wild_row(gap, wild, seed);
        double groups = 0.0;  // what they are worth at most
        for (std::int32_t other = 0; other < 3; ++other) {
          std::vector<std::int32_t> labels;
          for (std::int32_t row = 0; row < 180; ++row) labels.push_back(row % 3);
          labels.push_back(other);
          groups = std::max(groups, score(data, labels, MixtureByBic{}));
        }
        for (const std::optional<std::uint64_t> k : {std::optional<std::uint64_t>{}, {3}}) {
          const Fit found = fit(data, MixtureByBic{.k = k});
          EXPECT_GE(found.model.k(), 3U) << seed << ", " << gap << ", " << wild;
          EXPECT_LE(found.model.objective(), groups + 2.0) << "another optimum, if it is one, is no worse";
          for (std::size_t c = 0; c < found.model.k(); ++c) EXPECT_GE(found.model.stats().weight(c), 3.0);
          if (k) continue;
          for (const auto& [other, objective] : found.k_evidence) {
            EXPECT_LE(found.model.objective(), objective + 0.1 * 181)
                << other << " clusters were seen, and are no result";
          }
        }
      }
    }
  }
}

TEST(MixtureByBic, NeverExceedsTheLimit) {
  const Generated made = separated(600, 6, 2);
  for (const std::uint64_t most : {1U, 2U, 4U}) {
    const MixtureByBic method{.max_k = most};
    bool has_exceeded = false;
    RunOptions run;
    run.progress = [&](const Progress& step) {
      has_exceeded = has_exceeded || (step.k > most && step.phase != "start");
      return Next::carry_on;
    };
    const Fit found = fit(made.data, method, run);
    expect_whole(found, made.data, method);
    EXPECT_EQ(found.model.k(), most);
    EXPECT_FALSE(has_exceeded);
  }
  for (const std::uint64_t k : {1U, 3U, 7U}) EXPECT_EQ(fit(made.data, MixtureByBic{.k = k}).model.k(), k);
}

TEST(MixtureByBic, TheCriterionNeverRises) {
  const Dataset data = scattered_rows(1500, 3, 4, 3, 2.0);
  for (const char* assign : {"naive", "kdtree"}) {
    const Fit found = fit(data, MixtureByBic{.assign = assign});
    double last = 0.0;
    for (const Progress& step : found.trace) {
      if (step.phase == "em") {
        EXPECT_LE(step.objective, last + rounding(last));
      }
      last = step.objective;
    }
    EXPECT_THAT(found.trace, Contains(Field(&Progress::phase, std::string("em"))));
  }
}

// Rows on a line, or on top of one another: the floor keeps densities finite, and light clusters are no clusters.
TEST(MixtureByBic, DegenerateRowsAreNoClusters) {
  std::vector<double> values;
  RandomStream random{1, Purpose::test};
  for (std::size_t row = 0; row < 200; ++row) {
    values.push_back(random.normal());
    values.push_back(row < 4 ? 0.0 : random.normal());
  }
  const Dataset data = Dataset::from_rows(values, 200, 2);
  const Fit found = fit(data, MixtureByBic{});
  for (std::size_t c = 0; c < found.model.k(); ++c) EXPECT_GE(found.model.stats().weight(c), 3.0);
  EXPECT_EQ(fit(Dataset::from_rows(std::vector<double>(40, 1.0), 20, 2), MixtureByBic{}).model.k(), 1U);
}

TEST(MixtureByBic, IsTheSameForAnyNumberOfThreadsAndWhenLoaded) {
  const Dataset data = separated(12000, 4, 3).data;
  const Fit one = fit(data, MixtureByBic{}, {.threads = 1});
  expect_whole(one, data, {});  // found in a sample
  const Fit three = fit(data, MixtureByBic{}, {.threads = 3});
  EXPECT_TRUE(one.model == three.model);
  EXPECT_EQ(one.labels, three.labels);
  const TemporaryFile file("", ".coppice");
  save_model(one.model, file.path());
  const Model back = load_model(file.path());
  EXPECT_TRUE(back == one.model);
  EXPECT_EQ(back.score(data, one.labels), one.model.score(data, one.labels));
}

TEST(MixtureByBic, StoppedAnywhereItIsWhole) {
  const Dataset data = separated(400, 4, 5).data;
  for (const std::size_t n_reports : {2U, 5U, 12U, 30U}) {
    std::size_t n_seen = 0;
    RunOptions run;
    run.progress = [&](const Progress&) { return ++n_seen < n_reports ? Next::carry_on : Next::stop; };
    try {
      expect_whole(fit(data, MixtureByBic{}, run), data, {});
    } catch (const Stopped&) {
      EXPECT_LT(n_reports, 5U);
    }
  }
}

TEST(MixtureByBic, RefusesWhatItCannotDo) {
  const Dataset data = separated(60, 3, 8).data;
  const auto refusal = [&](const MixtureByBic& method) -> std::string {
    try {
      (void)fit(data, method);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({.k = 61}), HasSubstr("61"));
  EXPECT_THAT(refusal({.k = 5, .max_k = 4}), HasSubstr("must not exceed"));
  EXPECT_THAT(refusal({.floor = 0.0}), HasSubstr("floor"));
}

}  // namespace
}  // namespace coppice::internal
