// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/linear_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

using Point = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct WholeBox {
  Point low;
  Point high;
};

WholeBox random_box(std::size_t d, RandomStream& random, std::size_t most = 3) {
  WholeBox box{Point(d), Point(d)};
  for (std::size_t c = 0; c < d; ++c) {
    box.low[c] = static_cast<double>(random.below(4));
    box.high[c] = box.low[c] + static_cast<double>(random.below(most + 1));
  }
  return box;
}

// All points of a box with whole coordinates; with a total, those that add up to it.
std::vector<Point> points_of(const WholeBox& box, double total = -1.0) {
  std::vector<Point> points;
  Point x = box.low;
  for (;;) {
    if (total < 0.0 || std::accumulate(x.begin(), x.end(), 0.0) == total) points.push_back(x);
    std::size_t c = 0;
    while (c < x.size() && x[c] == box.high[c]) x[c] = box.low[c], ++c;
    if (c == x.size()) return points;
    x[c] += 1.0;
  }
}

double value_at(const LinearForm& form, const Point& x) {
  double value = form.b;
  for (std::size_t c = 0; c < x.size(); ++c) value += form.a[c] * x[c];
  return value;
}

double least_of(const LinearForm& form, const std::vector<Point>& points) {
  double least = infinity;
  for (const Point& x : points) least = std::min(least, value_at(form, x));
  return least;
}

// Boxes and totals are whole, so that the least value lies at a whole point.
TEST(LeastInBox, IsTheLeastOfAllPoints) {
  RandomStream random{1, Purpose::test, 91};
  for (int round = 0; round < 300; ++round) {
    const std::size_t d = 1 + random.below(5);
    const WholeBox box = random_box(d, random);
    Point a(d);
    for (double& value : a) value = random.normal();
    const LinearForm form{a, random.normal()};
    const std::vector<Point> points = points_of(box);
    EXPECT_NEAR(least_in_box(form, box.low, box.high), least_of(form, points), 1e-12);
    const Point& some = points[random.below(points.size())];
    const double total = std::accumulate(some.begin(), some.end(), 0.0);
    EXPECT_NEAR(least_in_box(form, box.low, box.high, total), least_of(form, points_of(box, total)), 1e-12);
  }
}

struct Rivals {
  Rivals(std::size_t k, std::size_t d, RandomStream& random) {
    for (std::size_t f = 0; f < k; ++f) {
      coefficients.emplace_back(d);
      for (double& a : coefficients.back()) a = 2.0 * random.normal();
      constants.push_back(random.normal());
      offsets.push_back(f == 3 ? infinity : random.uniform(0.0, 3.0));
    }
  }
  [[nodiscard]] LinearForm form(std::size_t f) const { return {coefficients[f], constants[f]}; }
  [[nodiscard]] double at(std::size_t f, const Point& x) const { return value_at(form(f), x) + offsets[f]; }

  std::vector<Point> coefficients;
  std::vector<double> constants;
  std::vector<double> offsets;
};

// Whoever is best somewhere, or within the lead of it, is left; the total drops more, and nobody that is wanted.
TEST(LinearTester, KeepsEveryoneWhoIsWanted) {
  for_each_target([] {
    RandomStream random{2, Purpose::test, 92};
    std::size_t n_left_by_box = 0;
    std::size_t n_left_by_total = 0;
    std::size_t n_wanted_in_all = 0;
    for (int round = 0; round < 300; ++round) {
      const std::size_t d = 1 + random.below(6);
      const std::size_t k = 2 + random.below(8);
      const Rivals rivals(k, d, random);
      const WholeBox box = random_box(d, random, 2);
      const std::vector<Point> points = points_of(box);
      const Point& some = points[random.below(points.size())];
      const double total = std::accumulate(some.begin(), some.end(), 0.0);
      const PairMargin margin{round % 3 == 0 ? 1.0 : 0.0, 0x1p-36};
      for (const bool has_total : {false, true}) {
        LinearTester tester(d, has_total ? std::optional(total) : std::nullopt);
        for (std::size_t f = 0; f < k; ++f) tester.append(rivals.form(f), rivals.offsets[f]);
        std::vector<std::int32_t> left(k);
        std::iota(left.begin(), left.end(), 0);
        std::vector<double> scratch;
        left.resize(tester.drop_beaten(box.low.data(), box.high.data(), margin, left, scratch));
        ASSERT_FALSE(left.empty());
        ASSERT_TRUE(std::ranges::is_sorted(left));
        (has_total ? n_left_by_total : n_left_by_box) += left.size();
        for (const Point& x : points_of(box, has_total ? total : -1.0)) {
          double best = infinity;
          for (std::size_t f = 0; f < k; ++f) best = std::min(best, rivals.at(f, x));
          for (std::size_t f = 0; f < k; ++f) {
            if (rivals.at(f, x) > best + margin.lead + 1e-13) continue;
            ++n_wanted_in_all;
            ASSERT_TRUE(std::ranges::find(left, static_cast<std::int32_t>(f)) != left.end());
          }
        }
      }
    }
    EXPECT_GT(n_wanted_in_all, 0U);
    EXPECT_LT(n_left_by_total, n_left_by_box);
    EXPECT_LT(n_left_by_box, 300 * 5);  // of about 5.5 on the average
  });
}

// Forms that differ by less than the band are left, by more are not.
TEST(LinearTester, ByMoreThanTheBand) {
  const Point a{1.0, 2.0};
  const Point low{0.0, 0.0};
  const Point high{3.0, 1.0};
  // reach: |b| + |b + offset| + 2 sum |a x|, here of the second form
  const double band = 1e-3;
  const double limit = band * (1.0 + 2.0 * (0.5 + 0.5 + 2.0 * 5.0));
  for (const double factor : {0.9, 1.1}) {
    LinearTester tester(2);
    tester.append({a, 0.5 - factor * limit}, 0.0);
    tester.append({a, 0.5}, 0.0);
    std::vector<std::int32_t> left{0, 1};
    std::vector<double> scratch;
    EXPECT_EQ(tester.drop_beaten(low.data(), high.data(), {0.0, band}, left, scratch), factor < 1.0 ? 2U : 1U);
  }
}

}  // namespace
}  // namespace coppice::kernels
