// SPDX-License-Identifier: BSD-3-Clause
// The families of counts and of bits: what holds for both.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

struct Counts {
  using F = Multinomial;
  static F family(std::size_t d) { return {d, 0.3}; }
  static Dataset data(std::size_t n_rows, std::size_t d, std::uint64_t seed) {
    return random_counts(n_rows, d, 3, seed);
  }
};
struct Bits {
  using F = Bernoulli;
  static F family(std::size_t d) { return {d, 0.3}; }
  static Dataset data(std::size_t n_rows, std::size_t d, std::uint64_t seed) { return random_bits(n_rows, d, 3, seed); }
};

// Every column has its own pseudo-counts, or shares them with some.
struct CountsByColumn : Counts {
  static F family(std::size_t d) {
    std::vector<double> psi0;
    for (std::size_t i = 0; i < d; ++i) psi0.push_back(0.05 + 0.3 * static_cast<double>(i * i % 7));
    return F(psi0);
  }
};
struct BitsByColumn : Bits {
  static F family(std::size_t d) {
    std::vector<BetaCounts> prior;
    for (std::size_t i = 0; i < d; ++i) {
      prior.push_back({0.1 + 0.7 * static_cast<double>(i * i % 5), 2.5 / (1.0 + static_cast<double>(i % 4))});
    }
    return F(prior);
  }
};

std::vector<double> fractional_weights(std::size_t n) {
  RandomStream random{n, Purpose::test, 82};
  std::vector<double> weights(n);
  for (double& weight : weights) weight = std::max(0.0, random.uniform(-0.2, 2.0));
  return weights;
}

template <class Case>
class DiscreteFamily : public testing::Test {};
using Cases = testing::Types<Counts, Bits, CountsByColumn, BitsByColumn>;
TYPED_TEST_SUITE(DiscreteFamily, Cases);

TYPED_TEST(DiscreteFamily, TheEvidenceIsTheProductOfPredictives) {
  for (const std::size_t d : {1U, 2U, 5U, 20U}) {
    const auto family = TypeParam::family(d);
    const Rows rows = rows_of(TypeParam::data(30, d, d));
    double sum = 0.0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      sum += log_predictive_of(family, family.posterior(discrete_stats(family, rows, 0, n)), rows)[n];
    }
    EXPECT_NEAR(family.log_evidence(discrete_stats(family, rows)), sum, 1e-9 * (1.0 + std::abs(sum))) << d;
  }
}

TYPED_TEST(DiscreteFamily, TheEvidenceIsCostsAndDivergence) {
  for (const std::size_t d : {1U, 3U, 20U}) {
    const auto family = TypeParam::family(d);
    const std::vector<double> weights = fractional_weights(300);
    const Rows rows = rows_of(TypeParam::data(300, d, d).with_weights(weights));
    const std::vector<double> stats = discrete_stats(family, rows);
    const auto q = family.posterior(stats);
    const std::vector<double> costs = costs_of(family, q, rows);
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += weights[i] * costs[i];
    EXPECT_NEAR(family.log_evidence(stats), -sum - family.kl_to_prior(q), 1e-10 * sum) << d;
    EXPECT_NEAR(family.node_cost(q, stats), sum, 1e-11 * sum) << d;
  }
}

TYPED_TEST(DiscreteFamily, TheCostIsTheDerivativeOfTheEvidence) {
  constexpr double step = 1e-4;
  const auto family = TypeParam::family(6);
  const Rows rows = rows_of(TypeParam::data(40, 6, 1));
  const Rows query = rows_of(TypeParam::data(5, 6, 2));
  const std::vector<double> stats = discrete_stats(family, rows);
  const std::vector<double> costs = costs_of(family, family.posterior(stats), query);
  for (std::size_t i = 0; i < query.size(); ++i) {
    const auto evidence_with = [&](double weight) {
      std::vector<double> changed = stats;
      const std::vector<double> one = discrete_stats(family, query, i, i + 1);
      for (std::size_t j = 0; j < changed.size(); ++j) changed[j] += weight * one[j];
      return family.log_evidence(changed);
    };
    EXPECT_NEAR(-costs[i], (evidence_with(step) - evidence_with(-step)) / (2.0 * step), 1e-4);
  }
}

TYPED_TEST(DiscreteFamily, MergedStatisticsAreThoseOfAllRows) {
  const auto family = TypeParam::family(7);
  const Rows rows = rows_of(TypeParam::data(600, 7, 3));
  std::vector<double> merged = discrete_stats(family, rows, 0, 350);
  family.merge(merged, discrete_stats(family, rows, 350, 600));
  const std::vector<double> whole = discrete_stats(family, rows);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(merged[i], whole[i], 1e-12 * (1.0 + whole[i]));
}

TYPED_TEST(DiscreteFamily, AWeightIsAsManyRows) {
  const auto family = TypeParam::family(4);
  const Dataset data = TypeParam::data(1, 4, 4);
  const Rows once = rows_of(data.with_weights({3.0}));
  std::vector<double> thrice(family.stats_size(), 0.0);
  for (int copy = 0; copy < 3; ++copy) family.merge(thrice, discrete_stats(family, rows_of(data)));
  const std::vector<double> weighted = discrete_stats(family, once);
  for (std::size_t i = 0; i < thrice.size(); ++i) EXPECT_NEAR(weighted[i], thrice[i], 1e-14 * thrice[i]);
}

TYPED_TEST(DiscreteFamily, SparseRowsHaveTheSameStatisticsAndCosts) {
  for (const std::size_t d : {1U, 9U, 40U}) {
    const auto family = TypeParam::family(d);
    const Dataset data = TypeParam::data(300, d, d).with_weights(fractional_weights(300));
    const Rows dense = rows_of(data);
    const std::vector<double> stats = discrete_stats(family, dense);
    const auto q = family.posterior(stats);
    for (const Rows& sparse : {rows_of(sparse_as<double>(data)), rows_of(sparse_as<float>(data))}) {
      EXPECT_EQ(discrete_stats(family, sparse), stats);
      const std::vector<double> want = costs_of(family, q, dense);
      const std::vector<double> got = costs_of(family, q, sparse);
      const std::vector<double> density = log_predictive_of(family, q, dense);
      const std::vector<double> sparse_density = log_predictive_of(family, q, sparse);
      std::vector<double> row(d);
      for (std::size_t i = 0; i < dense.size(); ++i) {
        EXPECT_NEAR(got[i], want[i], 1e-12 * (1.0 + want[i]));
        EXPECT_NEAR(sparse_density[i], density[i], 1e-12 * (1.0 - density[i]));
        dense.copy_row(i, row);
        std::vector<double> copy(d, 9.0);
        sparse.copy_row(i, copy);
        EXPECT_EQ(copy, row);
        const ExactCost exact = family.exact_cost(q, row);
        const ExactCost of_sparse = family.exact_cost(q, sparse.data().sparse_row(i));
        EXPECT_EQ(of_sparse.value, exact.value);
        EXPECT_EQ(of_sparse.scale, exact.scale);
      }
    }
  }
}

// Costs up to what all clusters share, and the promise that ties are bounded by.
TYPED_TEST(DiscreteFamily, ExactCostsKeepTheirPromise) {
  for (const std::size_t d : {1U, 2U, 30U}) {
    const auto family = TypeParam::family(d);
    const Rows rows = rows_of(TypeParam::data(200, d, d));
    for (const std::size_t n : {0U, 1U, 150U}) {
      const auto a = family.posterior(discrete_stats(family, rows, 0, n));
      const auto b = family.posterior(discrete_stats(family, rows, 50, 200));
      for (const auto& q : {a, b, family.plug_in(a)}) {
        const std::vector<double> costs = costs_of(family, q, rows);
        const std::vector<double> others = costs_of(family, b, rows);
        std::vector<double> row(d);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          rows.copy_row(i, row);
          const ExactCost exact = family.exact_cost(q, row);
          const TieScale tie = family.tie_scale(q);
          EXPECT_NEAR(exact.value - family.exact_cost(b, row).value, costs[i] - others[i], 1e-11 * (1.0 + costs[i]));
          EXPECT_LE(exact.scale, tie.ratio * (exact.value - tie.floor) * (1.0 + 1e-14) + 1e-14);
          EXPECT_GE(exact.scale, std::abs(exact.value) * (1.0 - 1e-14));
        }
      }
    }
  }
}

TYPED_TEST(DiscreteFamily, TheEmptyClusterIsThePrior) {
  const auto family = TypeParam::family(5);
  const std::vector<double> nothing(family.stats_size(), 0.0);
  EXPECT_EQ(family.log_evidence(nothing), 0.0);
  EXPECT_NEAR(family.kl_to_prior(family.posterior(nothing)), 0.0, 1e-13);
  EXPECT_EQ(family.column_moments(nothing).mean, std::vector<double>(5, 0.0));
}

TYPED_TEST(DiscreteFamily, StatisticsDoNotTellAnAxis) {
  const auto family = TypeParam::family(3);
  EXPECT_FALSE(family.split_axis(discrete_stats(family, rows_of(TypeParam::data(9, 3, 1)))).has_value());
}

TYPED_TEST(DiscreteFamily, ArraysBringItBack) {
  using F = typename TypeParam::F;
  const F family = TypeParam::family(12);
  const F same = F::from_arrays(family.to_arrays());
  EXPECT_EQ(same.n_columns(), 12U);
  EXPECT_EQ(same.to_arrays(), family.to_arrays());
  for (const auto& [name, array] : family.to_arrays()) {
    NamedArrays without = family.to_arrays();
    without.erase(name);
    EXPECT_THROW((void)F::from_arrays(without), DataError) << name;
  }
  for (const double n : {0.0, -1.0, 2.5, 1e300, std::nan("")}) {
    NamedArrays wrong = family.to_arrays();
    wrong["n_columns"] = {{}, {n}};
    EXPECT_THROW((void)F::from_arrays(wrong), DataError) << n;
  }
}

TYPED_TEST(DiscreteFamily, ArraysOfTheWrongSizeAreRefused) {
  using F = typename TypeParam::F;
  const char* name = std::is_same_v<F, Multinomial> ? "psi0" : "omega0";
  for (const std::size_t size : {0U, 2U, 11U, 25U}) {
    NamedArrays wrong = TypeParam::family(12).to_arrays();
    wrong[name] = {{size}, std::vector<double>(size, 0.5)};
    EXPECT_THROW((void)F::from_arrays(wrong), DataError) << size;
  }
}

// Under a prior by column that happens to be the same for all, nothing is different.
TEST(DiscreteFamilies, EqualPseudoCountsAreSymmetric) {
  const Multinomial counts(std::vector<double>(5, 0.3));
  EXPECT_EQ(counts.to_arrays(), Multinomial(5, 0.3).to_arrays());
  const Bernoulli bits(std::vector<BetaCounts>(5, {0.3, 0.3}));
  EXPECT_EQ(bits.to_arrays(), Bernoulli(5, 0.3).to_arrays());
  const Rows rows = rows_of(random_bits(30, 5, 3, 1));
  const std::vector<double> stats = discrete_stats(bits, rows);
  EXPECT_EQ(bits.log_evidence(stats), Bernoulli(5, 0.3).log_evidence(stats));
}

TEST(DiscreteFamilies, PseudoCountsOfColumnsArePositive) {
  for (const double value : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)Multinomial(std::vector<double>{0.1, value}), OptionError) << value;
    EXPECT_THROW((void)Bernoulli({{0.1, 0.1}, {value, 0.1}}), OptionError) << value;
    EXPECT_THROW((void)Bernoulli({{0.1, value}, {0.1, 0.1}}), OptionError) << value;
  }
}

TYPED_TEST(DiscreteFamily, PseudoCountsArePositive) {
  using F = typename TypeParam::F;
  for (const double value : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    try {
      (void)F(3, value);
      ADD_FAILURE() << value;
    } catch (const OptionError& error) {
      const std::string flag = std::is_same_v<F, Multinomial> ? "psi0 is " : "omega0 is ";
      EXPECT_EQ(std::string(error.what()).find(flag), 0U) << error.what();
    }
  }
}

// Every row to the cheapest cluster by the exact rule, ties and all.
TYPED_TEST(DiscreteFamily, TheFinderAgreesWithTheExactRule) {
  using F = typename TypeParam::F;
  for (const std::size_t d : {1U, 3U, 17U}) {
    const Dataset data = TypeParam::data(500, d, d);
    const Rows dense = rows_of(data);
    for (const std::size_t k : {1U, 2U, 5U, 23U, 70U}) {
      FamilyAdapter<F> components(TypeParam::family(d));
      StatsArena stats(0, components.stats_size());
      for (std::size_t c = 0; c < k; ++c) {  // every third cluster is the one before: they tie everywhere
        const std::size_t first = c % 3 == 2 ? c - 1 : c;
        stats.append(discrete_stats(components.get(), dense, 7 * first % 400, 7 * first % 400 + 20));
      }
      components.update(stats);
      const std::vector<double> offsets(k, 0.25);
      std::vector<std::int32_t> everyone(k);
      for (std::size_t c = 0; c < k; ++c) everyone[c] = static_cast<std::int32_t>(c);
      for (const Rows& rows : {dense, rows_of(sparse_as<double>(data)), rows_of(sparse_as<float>(data))}) {
        BlockBuffer buffer(d);
        NearestWorkspace workspace;
        for (std::size_t first = 0; first < rows.size(); first += 200) {
          RowBlock block(rows, first, std::min<std::size_t>(200, rows.size() - first), buffer);
          std::vector<std::int32_t> labels(block.n_rows());
          const std::function<std::int32_t(std::size_t)> present = [&](std::size_t i) {
            return static_cast<std::int32_t>(i % (k + 1)) - 1;
          };
          components.nearest(offsets, {}, block, {present, labels}, workspace);
          std::vector<double> row(d);
          for (std::size_t i = 0; i < labels.size(); ++i) {
            dense.copy_row(first + i, row);
            const auto cost_of = [&](std::int32_t c) {
              ExactCost cost =
                  components.get().exact_cost(components.get().posterior(stats[static_cast<std::size_t>(c)]), row);
              cost.value += 0.25;
              return cost;
            };
            ASSERT_EQ(labels[i], settle(everyone, present(i), cost_of)) << d << " columns, " << k << " clusters";
          }
        }
      }
    }
  }
}

TEST(Multinomial, ProbabilitiesOfOneWordAddUpToOne) {
  const Multinomial family(4, 0.7);
  const Rows words = rows_from({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 4);
  const auto q = family.posterior(discrete_stats(family, rows_of(random_counts(9, 4, 2, 1))));
  double predictive = 0.0;
  double plug_in = 0.0;
  for (const double value : log_predictive_of(family, q, words)) predictive += std::exp(value);
  for (const double cost : costs_of(family, family.plug_in(q), words)) plug_in += std::exp(-cost);
  EXPECT_NEAR(predictive, 1.0, 1e-13);
  EXPECT_NEAR(plug_in, 1.0, 1e-13);
}

TEST(Multinomial, LargeCountsAreNoDifferent) {
  const Multinomial family(3, 0.5);
  const Rows rows = rows_from({300, 2, 5000, 255, 256, 257, 0, 0, 12}, 3);
  double sum = 0.0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    sum += log_predictive_of(family, family.posterior(discrete_stats(family, rows, 0, n)), rows)[n];
  }
  EXPECT_NEAR(family.log_evidence(discrete_stats(family, rows)), sum, 1e-10 * std::abs(sum));
}

TEST(Multinomial, RemembersASharedTotal) {
  const Multinomial family(3, 0.5, 40.0);
  EXPECT_EQ(Multinomial::from_arrays(family.to_arrays()).total(), 40.0);
  EXPECT_EQ(Multinomial::from_arrays(Multinomial(3, 0.5).to_arrays()).total(), std::nullopt);
}

TEST(Multinomial, MomentsAreThoseOfAMeanRow) {
  const Multinomial family(2, 0.5);
  const Rows rows = rows_from({3, 1, 1, 3, 5, 3}, 2);
  const ColumnMoments moments = family.column_moments(discrete_stats(family, rows));
  EXPECT_DOUBLE_EQ(moments.mean[0], 3.0);
  EXPECT_DOUBLE_EQ(moments.variance[0], 3.0 * (1.0 - 9.0 / 16.0));
}

TEST(Bernoulli, ProbabilitiesOfAllRowsAddUpToOne) {
  const Bernoulli family(4, 0.7);
  std::vector<double> values;
  for (unsigned bits = 0; bits < 16; ++bits) {
    for (unsigned c = 0; c < 4; ++c) values.push_back((bits >> c) & 1U);
  }
  const Rows all = rows_of(Dataset::from_rows(std::move(values), 16, 4));
  const auto q = family.posterior(discrete_stats(family, rows_of(random_bits(9, 4, 2, 1))));
  double predictive = 0.0;
  double plug_in = 0.0;
  for (const double value : log_predictive_of(family, q, all)) predictive += std::exp(value);
  for (const double cost : costs_of(family, family.plug_in(q), all)) plug_in += std::exp(-cost);
  EXPECT_NEAR(predictive, 1.0, 1e-13);
  EXPECT_NEAR(plug_in, 1.0, 1e-13);
}

// One row, in closed form: the mean of the Beta distribution, and that of the Dirichlet distribution.
TEST(DiscreteFamilies, ThePriorExpectsItsMeans) {
  const Bernoulli bits({{3.0, 1.0}, {0.5, 2.0}});
  const std::vector<double> row{1.0, 1.0, 0.0};  // weight, ones
  EXPECT_NEAR(bits.log_evidence(row), std::log(1.0 / 4.0) + std::log(0.5 / 2.5), 1e-14);
  const Multinomial counts(std::vector<double>{3.0, 1.0, 0.5});
  const std::vector<double> word{1.0, 0.0, 1.0, 0.0, 0.0};  // weight, sums, log coefficient
  EXPECT_NEAR(counts.log_evidence(word), std::log(1.0 / 4.5), 1e-14);
}

TEST(Bernoulli, MomentsAreThoseOfTheBits) {
  const Bernoulli family(1, 0.5);
  const ColumnMoments moments = family.column_moments(discrete_stats(family, rows_from({1, 0, 0, 0}, 1)));
  EXPECT_DOUBLE_EQ(moments.mean[0], 0.25);
  EXPECT_DOUBLE_EQ(moments.variance[0], 0.1875);
}

}  // namespace
}  // namespace coppice::internal
