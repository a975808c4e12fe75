// SPDX-License-Identifier: BSD-3-Clause
// Which of many forms are beaten in a box.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/kernels/pair_bound.hpp"
#include "unit/kernels/pair_examples.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

// Some forms and a box: that of an Example, whose own forms are the first two.
struct ManyForms {
  Example box;
  std::vector<Form> forms;
  PairTester tester;
  Vector low;
  Vector high;

  ManyForms(std::size_t d, std::size_t k, RandomStream& random)
      : box(d, random), forms{box.q, box.p}, tester(d), low(box.centre), high(box.centre) {
    while (forms.size() < k) forms.emplace_back(d, std::exp(random.normal()), random);
    for (const Form& form : forms) tester.append(form.m, form.matrix, form.a);
    for (std::size_t i = 0; i < d; ++i) {
      low[i] -= box.half_width[i];
      high[i] += box.half_width[i];
    }
  }
};

using Candidates = std::vector<std::int32_t>;

Candidates left_of(const ManyForms& many, const PairMargin& margin, Candidates candidates, Vector& scratch) {
  ContestedBox box{many.low.data(), many.high.data(), candidates.data(), candidates.size()};
  many.tester.drop_beaten({&box, 1}, margin, scratch);
  candidates.resize(box.n);
  return candidates;
}

// Whoever is within the lead of the least form at a point of the box is still there.
void expect_wanted(const ManyForms& many, const Candidates& left, double lead, const Vector& x) {
  long double least = std::numeric_limits<long double>::infinity();
  for (const Form& form : many.forms) least = std::min(least, value(form, x));
  for (std::size_t i = 0; i < many.forms.size(); ++i) {
    const bool is_wanted = value(many.forms[i], x) <= least + lead;
    ASSERT_TRUE(!is_wanted || std::ranges::count(left, static_cast<std::int32_t>(i)) == 1) << i;
  }
}

// One scratch for all: it is as large as the largest box and list so far.
TEST(PairTester, NeverDropsWhoIsLeastSomewhere) {
  for_each_target([] {
    RandomStream random{14, Purpose::test};
    Vector scratch;
    std::size_t n_dropped = 0;
    for (const std::size_t d : {7U, 1U, 2U, 3U, 4U, 5U, 6U}) {
      for (int trial = 0; trial < 30; ++trial) {
        const ManyForms many(d, 2 + random.below(20), random);
        Candidates everyone(many.forms.size());
        std::iota(everyone.begin(), everyone.end(), 0);
        const double lead = trial % 3 == 0 ? random.uniform() : 0.0;
        const Candidates left = left_of(many, {lead, 1e-13}, everyone, scratch);
        EXPECT_TRUE(std::ranges::is_sorted(left));
        for (std::size_t i = 0; i < 40; ++i) expect_wanted(many, left, lead, vertex(many.box, random.below(1U << d)));
        expect_wanted(many, left, lead, many.box.centre);
        n_dropped += everyone.size() - left.size();
      }
    }
    EXPECT_GT(n_dropped, 500U);  // of about 2000
  });
}

// Of two forms, the one that is larger at the centre goes if either bound is positive. Both kinds of pairs occur: such
// that only the one bound says so, and such that only the other does.
TEST(PairTester, EitherBoundIsEnough) {
  for_each_target([] {
    RandomStream random{16, Purpose::test};
    Vector scratch;
    for (const std::size_t d : {4U, 5U, 8U}) {
      std::size_t n_by_tangent = 0;
      std::size_t n_by_curvature = 0;
      for (int trial = 0; trial < 3000; ++trial) {
        ManyForms many(d, 2, random);
        if (many.box.difference(many.box.centre) < 0.0L) std::swap(many.box.q, many.box.p);
        const Bounds bound = bounds(many.box);
        const double best = std::max(bound.tangent, bound.curvature);
        if (std::abs(best) <= bound.allowed) continue;  // too close to call
        ASSERT_EQ(left_of(many, {}, {0, 1}, scratch).size(), best > 0.0 ? 1U : 2U);
        n_by_tangent += bound.tangent > bound.allowed && bound.curvature < -bound.allowed ? 1 : 0;
        n_by_curvature += bound.curvature > bound.allowed && bound.tangent < -bound.allowed ? 1 : 0;
      }
      EXPECT_GT(n_by_tangent, 0U) << d;
      EXPECT_GT(n_by_curvature, 0U) << d;
    }
  });
}

// The least difference over the box of an example lies between these two: what the bounds say of n x n small boxes, and
// what is found at their centres.
struct LeastDifference {
  double at_least = std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();

  LeastDifference(const Example& whole, std::size_t n) {
    Example part = whole;
    for (std::size_t i = 0; i < 2; ++i) part.half_width[i] /= static_cast<double>(n);
    for (std::size_t place = 0; place < n * n; ++place) {
      const std::size_t at[2] = {place / n, place % n};
      for (std::size_t i = 0; i < 2; ++i) {
        const double step = 2.0 * static_cast<double>(at[i]) + 1.0 - static_cast<double>(n);
        part.centre[i] = whole.centre[i] + step * part.half_width[i];
      }
      const Bounds bound = bounds(part);
      at_least = std::min(at_least, std::max(bound.tangent, bound.curvature) - bound.allowed);
      at_most = std::min(at_most, static_cast<double>(part.difference(part.centre)));
    }
  }
};

// Between two forms of two columns the test is no bound but the answer: whoever is beaten everywhere goes.
TEST(PairTester, IsExactForTwoFormsInTwoColumns) {
  for_each_target([] {
    RandomStream random{17, Purpose::test};
    Vector scratch;
    std::size_t n_dropped = 0;
    std::size_t n_beyond_the_bounds = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      ManyForms many(2, 2, random);
      if (many.box.difference(many.box.centre) < 0.0L) std::swap(many.box.q, many.box.p);
      const LeastDifference least(many.box, 24);
      const bool is_dropped = left_of(many, {}, {0, 1}, scratch).size() == 1;
      ASSERT_TRUE(is_dropped || least.at_least <= 0.0) << trial;
      ASSERT_TRUE(!is_dropped || least.at_most >= 0.0) << trial;
      n_dropped += is_dropped ? 1 : 0;
      const Bounds bound = bounds(many.box);
      n_beyond_the_bounds += is_dropped && std::max(bound.tangent, bound.curvature) < 0.0 ? 1 : 0;
    }
    EXPECT_GT(n_dropped, 300U);
    EXPECT_GT(n_beyond_the_bounds, 10U);
  });
}

// Two boxes together: what is left in each of them is what is left when it comes alone. Two candidates and more, and
// forms that are infinite.
TEST(PairTester, TwoBoxesAreJudgedAsEachAlone) {
  for_each_target([] {
    RandomStream random{18, Purpose::test};
    Vector scratch;
    std::size_t n_different = 0;
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U}) {
      for (int trial = 0; trial < 300; ++trial) {
        ManyForms many(d, trial % 3 == 0 ? 5 : 2, random);
        if (trial % 10 == 0) {
          many.tester.append(many.forms[0].m, many.forms[0].matrix, std::numeric_limits<double>::infinity());
        }
        Candidates everyone(trial % 10 == 0 ? 2 : many.forms.size());
        std::iota(everyone.begin(), everyone.end(), 0);
        if (trial % 10 == 0) everyone.back() = static_cast<std::int32_t>(many.forms.size());
        Vector other_low = many.low;
        Vector other_high = many.high;
        for (std::size_t i = 0; i < d; ++i) {
          const double shift = random.normal();
          other_low[i] += shift;
          other_high[i] += shift + random.uniform();
        }
        const PairMargin margin{trial % 4 == 0 ? random.uniform() : 0.0, 1e-13};
        Candidates lists[4] = {everyone, everyone, everyone, everyone};
        ContestedBox both[2] = {{many.low.data(), many.high.data(), lists[0].data(), everyone.size()},
                                {other_low.data(), other_high.data(), lists[1].data(), everyone.size()}};
        ContestedBox alone[2] = {{many.low.data(), many.high.data(), lists[2].data(), everyone.size()},
                                 {other_low.data(), other_high.data(), lists[3].data(), everyone.size()}};
        many.tester.drop_beaten(both, margin, scratch);
        for (ContestedBox& box : alone) many.tester.drop_beaten({&box, 1}, margin, scratch);
        for (std::size_t box = 0; box < 2; ++box) {
          ASSERT_TRUE(std::ranges::equal(both[box].list(), alone[box].list())) << d << " columns, trial " << trial;
        }
        n_different += std::ranges::equal(both[0].list(), both[1].list()) ? 0 : 1;
      }
    }
    EXPECT_GT(n_different, 100U);
  });
}

// The band is a share of 1 + 2 reach: with a large one nobody is beaten by enough, with none only the bounds count.
TEST(PairTester, TheBandKeepsWhoIsNearlyLeast) {
  RandomStream random{15, Purpose::test};
  Vector scratch;
  for (const std::size_t d : {1U, 4U, 5U}) {
    for (int trial = 0; trial < 20; ++trial) {
      ManyForms many(d, 2, random);
      many.low = many.high = many.box.centre;  // a point: what is dropped there follows from the two values
      const Bounds bound = bounds(many.box);
      const auto gap = static_cast<double>(std::abs(many.box.difference(many.box.centre)));
      double reach = 0.0;
      for (std::size_t i = 0; i < 2; ++i) {
        const Form& form = many.forms[i];
        Vector unused(d);
        const double distance = at_centre(form.view(), many.box.centre, unused.data()).squared_distance;
        double trace = 0.0;
        for (std::size_t j = 0; j < d; ++j) trace += form.matrix[j * d + j];
        reach = std::max(reach, std::abs(form.a) + trace * distance);
      }
      ASSERT_GT(gap, 100.0 * bound.allowed);
      EXPECT_EQ(left_of(many, {0.0, gap / (1.0 + 2.0 * reach)}, {0, 1}, scratch).size(), 2U);
      EXPECT_EQ(left_of(many, {0.0, 0.2 * gap / (1.0 + 2.0 * reach)}, {0, 1}, scratch).size(), 1U);
      EXPECT_EQ(left_of(many, {1.01 * gap, 0.0}, {0, 1}, scratch).size(), 2U);
      EXPECT_EQ(left_of(many, {0.99 * gap, 0.0}, {0, 1}, scratch).size(), 1U);
    }
  }
}

}  // namespace
}  // namespace coppice::kernels
