// SPDX-License-Identifier: BSD-3-Clause
// Which of many points are nearest somewhere in a box, against long doubles at the points that decide it.
#include "coppice/kernels/bisector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/family/tie_rule.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

using Vector = std::vector<double>;
using Candidates = std::vector<std::int32_t>;

struct Box {
  Vector low;
  Vector high;

  [[nodiscard]] std::size_t d() const { return low.size(); }
  [[nodiscard]] bool contains(const Vector& x) const {
    for (std::size_t i = 0; i < d(); ++i) {
      if (!(low[i] <= x[i] && x[i] <= high[i])) return false;
    }
    return true;
  }
  [[nodiscard]] Vector corner(std::size_t number) const {
    Vector x = low;
    for (std::size_t i = 0; i < d(); ++i) x[i] = ((number >> i) & 1U) == 1U ? high[i] : low[i];
    return x;
  }
  [[nodiscard]] Vector random_point(RandomStream& random) const {
    Vector x(d());
    for (std::size_t i = 0; i < d(); ++i) x[i] = std::clamp(random.uniform(low[i], high[i]), low[i], high[i]);
    return x;
  }
  [[nodiscard]] Vector centre() const {
    Vector x(d());
    for (std::size_t i = 0; i < d(); ++i) x[i] = 0.5 * (low[i] + high[i]);
    return x;
  }
};

// Points with offsets.
struct Points {
  std::vector<Vector> points;
  Vector offsets;

  [[nodiscard]] std::size_t size() const { return points.size(); }
  [[nodiscard]] Candidates everyone() const {
    Candidates all(size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  [[nodiscard]] long double squared_distance(std::size_t i, const Vector& x) const {
    long double sum = 0.0L;
    for (std::size_t c = 0; c < x.size(); ++c) sum += std::pow(static_cast<long double>(x[c]) - points[i][c], 2.0L);
    return sum;
  }
  [[nodiscard]] long double value(std::size_t i, const Vector& x) const { return squared_distance(i, x) + offsets[i]; }
  [[nodiscard]] Candidates left_in(const Box& box, const PairMargin& margin, Candidates candidates,
                                   Vector& scratch) const {
    BisectorTester tester(box.d());
    for (std::size_t i = 0; i < size(); ++i) tester.append(points[i], offsets[i]);
    candidates.resize(tester.drop_beaten(box.low.data(), box.high.data(), margin, candidates, scratch));
    return candidates;
  }
};

Points random_points(std::size_t n, std::size_t d, double spread, RandomStream& random) {
  Points result;
  for (std::size_t i = 0; i < n; ++i) {
    Vector point(d);
    for (double& value : point) value = spread * random.normal();
    result.points.push_back(std::move(point));
    result.offsets.push_back(0.0);
  }
  return result;
}

// About a random place, from a hundredth to three times as wide as the points are apart; every third width is zero.
Box random_box(std::size_t d, double spread, RandomStream& random) {
  Box box;
  for (std::size_t i = 0; i < d; ++i) {
    const double centre = spread * random.normal();
    const double width = random.below(3) == 0 ? 0.0 : spread * std::exp(random.uniform(-4.6, 1.1));
    box.low.push_back(centre - width);
    box.high.push_back(centre + width);
  }
  return box;
}

bool has(const Candidates& left, std::size_t i) {
  return std::ranges::find(left, static_cast<std::int32_t>(i)) != left.end();
}

// Whoever is least at x, or ties with that one, or comes within the lead of it, is still there.
void expect_wanted(const Points& points, const Candidates& left, double lead, const Vector& x) {
  std::size_t least = 0;
  for (std::size_t i = 1; i < points.size(); ++i) least = points.value(i, x) < points.value(least, x) ? i : least;
  const auto size_of = [&](std::size_t i) { return std::abs(points.value(i, x)) + points.squared_distance(i, x); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long double band = static_cast<long double>(tie_band) * (size_of(i) + size_of(least));
    const bool is_wanted = points.value(i, x) - points.value(least, x) <= lead + band;
    ASSERT_TRUE(!is_wanted || has(left, i))
        << "point " << i << " of " << points.size() << ", " << x.size() << " columns";
  }
}

// Where a line from one point of the box to another crosses the bisector of two points, up to rounding.
Vector on_bisector(const Points& points, std::size_t p, std::size_t q, const Vector& from, const Vector& to) {
  const long double at_from = points.value(q, from) - points.value(p, from);
  const long double at_to = points.value(q, to) - points.value(p, to);
  const auto share = static_cast<double>(at_from / (at_from - at_to));
  Vector x = from;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * (to[i] - from[i]);
  return x;
}

void expect_wanted_everywhere(const Points& points, const Box& box, const Candidates& left, double lead,
                              RandomStream& random) {
  const std::size_t n_corners = std::size_t{1} << box.d();
  for (std::size_t number = 0; number < n_corners; ++number) expect_wanted(points, left, lead, box.corner(number));
  for (int i = 0; i < 10; ++i) expect_wanted(points, left, lead, box.random_point(random));
  expect_wanted(points, left, lead, box.centre());
  for (int i = 0; i < 20; ++i) {
    const Vector x = on_bisector(points, random.below(points.size()), random.below(points.size()),
                                 box.corner(random.below(n_corners)), box.random_point(random));
    if (box.contains(x)) expect_wanted(points, left, lead, x);
  }
}

TEST(BisectorTester, NeverDropsWhoWinsOrTiesSomewhere) {
  for_each_target([] {
    RandomStream random{20, Purpose::test};
    Vector scratch;  // one for all: as large as the largest list so far
    std::size_t n_dropped = 0;
    for (const std::size_t d : {6U, 1U, 2U, 3U, 4U, 5U}) {
      for (int trial = 0; trial < 40; ++trial) {
        const double spread = std::exp(random.uniform(-20.0, 20.0));  // there is no unit
        Points points = random_points(2 + random.below(20), d, spread, random);
        for (double& offset : points.offsets) offset = trial % 2 == 0 ? 0.0 : spread * spread * random.normal();
        const double lead = trial % 3 == 0 ? spread * spread * random.uniform() : 0.0;
        const Box box = random_box(d, spread, random);
        const Candidates left = points.left_in(box, {lead, widest_band(d)}, points.everyone(), scratch);
        EXPECT_TRUE(std::ranges::is_sorted(left)) << "in their order";
        expect_wanted_everywhere(points, box, left, lead, random);
        n_dropped += points.size() - left.size();
      }
    }
    EXPECT_GT(n_dropped, 500U);  // of about 2700
  });
}

// Without a margin a point stays exactly if it is nearer than the one that is nearest at the centre, somewhere: the
// difference of their squared distances is linear, so that the corners decide.
TEST(BisectorTester, IsExact) {
  for_each_target([] {
    RandomStream random{21, Purpose::test};
    Vector scratch;
    std::size_t n_left = 0;
    std::size_t n_dropped = 0;
    for (std::size_t d = 1; d <= 6; ++d) {
      for (int trial = 0; trial < 100; ++trial) {
        Points points = random_points(2, d, 1.0, random);
        for (double& offset : points.offsets) offset = 0.3 * random.normal();
        const Box box = random_box(d, 1.0, random);
        const auto difference = [&](const Vector& x) { return points.value(1, x) - points.value(0, x); };
        const long double sign = difference(box.centre()) < 0.0L ? -1.0L : 1.0L;
        long double least = std::numeric_limits<long double>::infinity();
        for (std::size_t corner = 0; corner < std::size_t{1} << d; ++corner) {
          least = std::min(least, sign * difference(box.corner(corner)));
        }
        if (std::abs(least) < 1e-12L) continue;  // too close to call: what is summed up is of the size of 100
        const Candidates left = points.left_in(box, {}, {0, 1}, scratch);
        EXPECT_EQ(left.size(), least > 0.0L ? 1U : 2U);
        n_left += left.size() - 1;
        n_dropped += 2 - left.size();
      }
    }
    EXPECT_GT(n_left, 100U);
    EXPECT_GT(n_dropped, 100U);
  });
}

// A lattice with steps of 10: in a box of width 1 about one of its points, every other one is too far away.
TEST(BisectorTester, DropsWhoIsFarAway) {
  for_each_target([] {
    Vector scratch;
    for (std::size_t d = 1; d <= 6; ++d) {
      Points points;
      for (std::size_t number = 0; number < std::size_t{1} << d; ++number) {
        points.points.push_back(Box{Vector(d, -5.0), Vector(d, 5.0)}.corner(number));
        points.offsets.push_back(0.25);
      }
      for (std::size_t i = 0; i < points.size(); ++i) {
        Box box{points.points[i], points.points[i]};
        for (std::size_t c = 0; c < d; ++c) {
          box.low[c] -= 0.5;
          box.high[c] += 0.5;
        }
        EXPECT_EQ(points.left_in(box, {0.0, widest_band(d)}, points.everyone(), scratch),
                  Candidates{static_cast<std::int32_t>(i)});
      }
    }
  });
}

// Two points that mirror each other, and a box that begins at the mirror: they tie on its face, though one of them is
// better everywhere else. A millionth behind the mirror they do not.
TEST(BisectorTester, ATieAtTheEdgeIsEnoughToStay) {
  for_each_target([] {
    RandomStream random{22, Purpose::test};
    Vector scratch;
    for (std::size_t d = 1; d <= 6; ++d) {
      for (const double at : {0.0, 3.0, 0x1p20, 0x1p30}) {
        for (int trial = 0; trial < 50; ++trial) {
          Points points = random_points(2, d, 1.0, random);
          points.points[1] = points.points[0];
          const double half = std::ldexp(1.0, -static_cast<int>(random.below(8)));
          points.points[0][0] = at - half;
          points.points[1][0] = at + half;
          Box box = random_box(d, 1.0, random);
          const double width = random.uniform(0.01, 1.0);
          const PairMargin margin{0.0, widest_band(d)};
          box.low[0] = at;
          box.high[0] = at + width;
          EXPECT_EQ(points.left_in(box, margin, {0, 1}, scratch).size(), 2U) << at;
          box.low[0] = at - width;
          box.high[0] = at;
          EXPECT_EQ(points.left_in(box, margin, {1, 0}, scratch).size(), 2U) << at;
          box.low[0] = at + 1e-6;
          box.high[0] = box.low[0] + width;
          EXPECT_EQ(points.left_in(box, margin, {0, 1}, scratch), Candidates{1}) << at;
        }
      }
    }
  });
}

TEST(BisectorTester, CopiesStayTogether) {
  for_each_target([] {
    RandomStream random{23, Purpose::test};
    Vector scratch;
    for (std::size_t d = 1; d <= 6; ++d) {
      Points points = random_points(10, d, 1.0, random);
      for (std::size_t i = 0; i < 10; ++i) {
        points.points.push_back(points.points[i]);
        points.offsets.push_back(0.0);
      }
      for (int trial = 0; trial < 30; ++trial) {
        const Box box = random_box(d, 1.0, random);
        const Candidates left = points.left_in(box, {0.0, widest_band(d)}, points.everyone(), scratch);
        for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(has(left, i), has(left, i + 10));
      }
    }
  });
}

// At a point what is dropped follows from two values.
TEST(BisectorTester, TheMarginIsLeadAndBand) {
  for_each_target([] {
    const Points points{{{0.0, 0.0}, {3.0, 0.0}}, {0.0, 0.5}};
    const Box box{{1.0, 2.0}, {1.0, 2.0}};  // squared distances 5 and 8, with the offset 8.5
    Vector scratch;
    EXPECT_EQ(points.left_in(box, {3.4999, 0.0}, {0, 1}, scratch), Candidates{0});
    EXPECT_EQ(points.left_in(box, {3.5, 0.0}, {0, 1}, scratch), (Candidates{0, 1})) << "not by more than the lead";
    EXPECT_EQ(points.left_in(box, {0.0, 3.5 / (5.0 + 8.0)}, {0, 1}, scratch), (Candidates{0, 1}));
    EXPECT_EQ(points.left_in(box, {0.0, 0.01 * 3.5 / (5.0 + 8.0)}, {0, 1}, scratch), Candidates{0});
  });
}

TEST(BisectorTester, OnlyCandidatesCompete) {
  for_each_target([] {
    const Points points{{{0.0}, {10.0}, {20.0}, {21.0}}, {0.0, 0.0, 0.0, 0.0}};
    const Box box{{-1.0}, {1.0}};
    Vector scratch;
    EXPECT_EQ(points.left_in(box, {}, {3, 2, 1}, scratch), Candidates{1});
    EXPECT_EQ(points.left_in(box, {}, {3}, scratch), Candidates{3});
    EXPECT_EQ(points.left_in(box, {100.0, 0.0}, {1, 3, 0}, scratch), (Candidates{1, 0})) << "in the order given";
  });
}

}  // namespace
}  // namespace coppice::kernels
