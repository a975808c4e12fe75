// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/merged_evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "coppice/family/adapter.hpp"
#include "unit/family/merge_examples.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::internal {
namespace {

using Table = std::vector<std::vector<double>>;  // of all pairs

Table all_pairs(const MergedEvidence& evidence, std::size_t n) {
  std::vector<std::uint32_t> everyone(n);
  std::iota(everyone.begin(), everyone.end(), 0U);
  Table table(n, std::vector<double>(n));
  for (std::size_t c = 0; c < n; ++c) evidence.with(c, everyone, table[c].data());
  return table;
}

// What merging statistics would give, either way round, whatever the instruction set.
template <class F>
void check_values(const F& family, const StatsArena& stats, double tolerance = 1e-11) {
  Table expected(stats.size());
  for (std::size_t a = 0; a < stats.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) expected[a].push_back(exact_evidence(family, stats[a], stats[b]));
  }
  kernels::for_each_target([&] {
    const auto fast = FamilyAdapter<F>(family).merged_evidence(stats);
    const Table got = all_pairs(*fast, stats.size());
    for (std::size_t a = 0; a < stats.size(); ++a) {
      const double alone = family.log_evidence(stats[a]);
      ASSERT_NEAR(fast->alone(a), alone, tolerance * (1.0 + std::abs(alone))) << a;
      for (std::size_t b = 0; b <= a; ++b) {
        ASSERT_NEAR(got[a][b], expected[a][b], tolerance * (1.0 + std::abs(expected[a][b]))) << a << " with " << b;
        ASSERT_EQ(got[a][b], got[b][a]) << a << " with " << b << " is not the same the other way round";
      }
    }
  });
}

// Whatever else is asked for, and in whatever order.
template <class F>
void check_batches(const F& family, const StatsArena& stats) {
  const auto fast = FamilyAdapter<F>(family).merged_evidence(stats);
  const Table table = all_pairs(*fast, stats.size());
  for (std::size_t first = 0; first < stats.size(); first += 3) {
    for (const std::size_t step : {1U, 2U, 5U}) {
      std::vector<std::uint32_t> others;
      for (std::size_t c = first; c < stats.size(); c += step) others.insert(others.begin(), std::uint32_t(c));
      std::vector<double> out(others.size() + 1, -7.0);
      fast->with(first, others, out.data());
      for (std::size_t i = 0; i < others.size(); ++i) ASSERT_EQ(out[i], table[first][others[i]]);
      ASSERT_EQ(out.back(), -7.0) << "nothing is written behind the end";
    }
  }
}

// Clusters that are set become what they would have been from the start.
template <class F>
void check_set(const F& family, StatsArena stats) {
  const FamilyAdapter<F> components(family);
  const auto fast = components.merged_evidence(stats);
  const std::size_t n = stats.size();
  const std::vector<double> last(stats[n - 1].begin(), stats[n - 1].end());
  for (std::size_t c = 0; c + 2 < n; c += 2) {
    family.merge(stats[c], stats[c + 1]);  // a cluster that grows
    fast->set(c, stats[c]);
    stats.assign(c + 1, c % 4 == 0 ? ConstStatsRef(last) : ConstStatsRef(stats[n - 2]));  // and one that is replaced
    fast->set(c + 1, stats[c + 1]);
  }
  const auto anew = components.merged_evidence(stats);
  EXPECT_EQ(all_pairs(*fast, n), all_pairs(*anew, n));
  for (std::size_t c = 0; c < n; ++c) EXPECT_EQ(fast->alone(c), anew->alone(c));
}

template <class F>
void check_all(const F& family, const StatsArena& stats) {
  check_values(family, stats);
  check_batches(family, stats);
  check_set(family, stats);
}

template <class F>
class MergedGaussians : public testing::Test {};
using Gaussians = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(MergedGaussians, Gaussians);

TYPED_TEST(MergedGaussians, EqualMergedStatistics) {
  kernels::for_each_target([] {
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 50U}) {
      for (const bool is_rounded : {false, true}) {
        for (const Weighting weighting : {Weighting::ones, Weighting::whole, Weighting::any}) {
          SCOPED_TRACE(testing::Message()
                       << d << " columns, rounded " << is_rounded << ", weighting " << static_cast<int>(weighting));
          const auto family = random_family<TypeParam>(d, d, is_rounded);
          check_all(family, merge_clusters(family, {.weighting = weighting}));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

// B0 without correlations has a way of its own.
TYPED_TEST(MergedGaussians, EqualMergedStatisticsIfThePriorIsRound) {
  for (const std::size_t d : {1U, 2U, 3U, 7U, 20U}) {
    for (const double b0 : {1e-6, 0.5, 100.0}) {
      SCOPED_TRACE(testing::Message() << d << " columns, b0 " << b0);
      const auto family = round_family<TypeParam>(d, b0);
      const StatsArena stats = merge_clusters(family, {});
      check_values(family, stats, 1e-11 + 1e-15 / b0);  // a scatter of one or two rows, rounded, plus B0
      check_batches(family, stats);
      check_set(family, stats);
    }
  }
}

TYPED_TEST(MergedGaussians, KeepTheirDigitsFarFromTheOrigin) {
  for (const std::size_t d : {1U, 2U, 3U, 8U, 50U}) {
    SCOPED_TRACE(d);
    const auto family = random_family<TypeParam>(d, 3, false);
    check_values(family, merge_clusters(family, {.offset = 1e5}), 1e-10);
  }
}

TYPED_TEST(MergedGaussians, AnyScaleWillDo) {
  for (const std::size_t d : {1U, 2U, 3U, 8U, 50U}) {
    for (const double scale : {1e-70, 1e-7, 1e7, 1e70}) {
      SCOPED_TRACE(testing::Message() << d << " columns, scale " << scale);
      const auto family = round_family<TypeParam>(d, 0.01, scale);
      check_values(family, merge_clusters(family, {.scale = scale}));
    }
  }
}

template <class F>
class MergedCounts : public testing::Test {};
using Discrete = testing::Types<Multinomial, Bernoulli>;
TYPED_TEST_SUITE(MergedCounts, Discrete);

TYPED_TEST(MergedCounts, EqualMergedStatistics) {
  for (const std::size_t d : {1U, 2U, 3U, 8U, 50U}) {
    for (const double pseudo_count : {0.1, 1.0, 30.0}) {
      for (const Weighting weighting : {Weighting::ones, Weighting::whole, Weighting::any}) {
        SCOPED_TRACE(testing::Message() << d << " columns, weighting " << static_cast<int>(weighting));
        const TypeParam family(d, pseudo_count);
        check_all(family, merge_clusters(family, {.weighting = weighting}));
      }
    }
  }
}

// Columns with pseudo-counts of their own, so many that not all sums are remembered.
TEST(MergedMultinomials, MayHaveAPriorByColumn) {
  for (const std::size_t d : {1U, 2U, 3U, 8U, 50U, 2500U}) {
    std::vector<double> psi0;
    for (std::size_t i = 0; i < d; ++i) psi0.push_back(0.02 + 0.001 * static_cast<double>(i));
    for (const Weighting weighting : {Weighting::ones, Weighting::whole, Weighting::any}) {
      if (d > 50 && weighting != Weighting::ones) continue;  // slow
      SCOPED_TRACE(testing::Message() << d << " columns, weighting " << static_cast<int>(weighting));
      const Multinomial family(psi0);
      check_all(family, merge_clusters(family, {.weighting = weighting}));
    }
  }
}

TEST(MergedBernoullis, MayHaveAPriorByColumn) {
  for (const std::size_t d : {1U, 2U, 3U, 8U, 50U, 2500U}) {
    std::vector<BetaCounts> prior;
    for (std::size_t i = 0; i < d; ++i) {
      const double rate = static_cast<double>(i + 1) / static_cast<double>(d + 2);
      prior.push_back({3.0 * (1.0 - rate), 3.0 * rate});
    }
    for (const Weighting weighting : {Weighting::ones, Weighting::whole, Weighting::any}) {
      if (d > 50 && weighting != Weighting::ones) continue;  // slow
      SCOPED_TRACE(testing::Message() << d << " columns, weighting " << static_cast<int>(weighting));
      const Bernoulli family(prior);
      check_all(family, merge_clusters(family, {.weighting = weighting}));
    }
  }
}

TEST(MergedMultinomials, MayBeLarge) {
  const Multinomial family(3, 0.5);
  StatsArena stats(0, family.stats_size());
  for (const double scale : {1.0, 1e3, 1e5, 1e9}) {
    stats.append(std::vector<double>{1.0, 3.0 * scale, 0.0, scale, -7.0 * scale});
    stats.append(std::vector<double>{2.0, 0.0, 0.0, 5.0 * scale, -scale});
  }
  check_all(family, stats);
}

TEST(Components, MergedEvidenceIsThatOfMergedStatistics) {
  const auto family = random_family<Gaussian>(3, 3, true);
  const StatsArena stats = merge_clusters(family, {.weighting = Weighting::any});
  const FamilyAdapter<Gaussian> components(family);
  const Table got = all_pairs(*components.Components::merged_evidence(stats), stats.size());
  for (std::size_t a = 0; a < stats.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      EXPECT_NEAR(got[a][b], exact_evidence(family, stats[a], stats[b]), 1e-11 * (1.0 + std::abs(got[a][b])));
      EXPECT_EQ(got[a][b], got[b][a]);
    }
  }
}

// Determinants beyond the range of numbers are found all the same.
TYPED_TEST(MergedGaussians, DataMayBeMuchWiderThanThePrior) {
  for (const std::size_t d : {1U, 2U, 3U, 4U, 6U}) {
    SCOPED_TRACE(d);
    const auto family = round_family<TypeParam>(d, 1.0);
    check_values(family, merge_clusters(family, {.scale = 1e75, .n_rows = 4 * d, .has_single_rows = false}));
  }
}

TYPED_TEST(MergedGaussians, NothingWithNothingIsNothing) {
  const auto family = random_family<TypeParam>(2, 3, true);
  const auto fast = FamilyAdapter<TypeParam>(family).merged_evidence(StatsArena(3, family.stats_size()));
  EXPECT_EQ(all_pairs(*fast, 3), Table(3, std::vector<double>(3, 0.0)));
}

}  // namespace
}  // namespace coppice::internal
