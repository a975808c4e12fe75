// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/pair_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "unit/kernels/pair_examples.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

long double least_at_vertices(const Example& e) {
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < std::size_t{1} << e.d(); ++i) least = std::min(least, e.difference(vertex(e, i)));
  return least;
}

// g t + h t^2 at its least for low <= t <= high.
double least_step(double g, double h, double low, double high) {
  if (h > 0.0) return std::clamp(-g / (2.0 * h), low, high);
  return (g + h * low) * low < (g + h * high) * high ? low : high;
}

// Goes downhill inside the box, one column after the other: a random point alone is rarely near the minimum.
void go_downhill(const Example& e, Vector& x) {
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < e.d(); ++i) {
      double g = 0.0;
      for (std::size_t j = 0; j < e.d(); ++j) {
        g += 2.0 * (e.q.matrix[i * e.d() + j] * (x[j] - e.q.m[j]) - e.p.matrix[i * e.d() + j] * (x[j] - e.p.m[j]));
      }
      const double h = e.q.matrix[i * e.d() + i] - e.p.matrix[i * e.d() + i];
      const double low = e.centre[i] - e.half_width[i];
      const double high = e.centre[i] + e.half_width[i];
      x[i] = std::clamp(x[i] + least_step(g, h, low - x[i], high - x[i]), low, high);
    }
  }
}

long double least_inside(const Example& e, std::size_t n_points, RandomStream& random) {
  long double least = e.difference(e.centre);
  for (std::size_t point = 0; point < n_points; ++point) {
    Vector x(e.d());
    for (std::size_t i = 0; i < e.d(); ++i) x[i] = e.centre[i] + e.half_width[i] * random.uniform(-1.0, 1.0);
    least = std::min(least, e.difference(x));
    go_downhill(e, x);
    least = std::min(least, e.difference(x));
  }
  return least;
}

TEST(AtCentre, IsTheFormWrittenOut) {
  for_each_target([] {
    RandomStream random{1, Purpose::test};
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 17U, 4U}) {
      const Example e(d, random);
      Vector gradient(d);
      const AtCentre at = at_centre(e.q.view(), e.centre, gradient.data());
      const double allowed = bounds(e).allowed;
      EXPECT_NEAR(at.value, static_cast<double>(value(e.q, e.centre)), allowed) << d;
      double squared_distance = 0.0;
      for (std::size_t i = 0; i < d; ++i) squared_distance += (e.centre[i] - e.q.m[i]) * (e.centre[i] - e.q.m[i]);
      EXPECT_NEAR(at.squared_distance, squared_distance, 0x1p-48 * squared_distance) << d;
    }
  });
}

// Central differences of a quadratic form are exact but for rounding, whatever the step.
TEST(AtCentre, GradientIsTheDifferenceQuotient) {
  for_each_target([] {
    RandomStream random{2, Purpose::test};
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 17U, 4U}) {
      const Example e(d, random);
      Vector gradient(d);
      (void)at_centre(e.q.view(), e.centre, gradient.data());
      for (std::size_t i = 0; i < d; ++i) {
        Vector up = e.centre;
        Vector down = e.centre;
        up[i] += 1.0;
        down[i] -= 1.0;
        const long double quotient = (value(e.q, up) - value(e.q, down)) / 2.0L;
        const auto size = static_cast<double>(std::abs(value(e.q, up)) + std::abs(value(e.q, down)));
        EXPECT_NEAR(gradient[i], static_cast<double>(quotient), 0x1p-46 * (1.0 + size)) << d << ", column " << i;
      }
    }
  });
}

TEST(Curvature, IsTheSumOfSizes) {
  for_each_target([] {
    RandomStream random{3, Purpose::test};
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 17U}) {
      const Example e(d, random);
      double sum = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) {
          sum += std::abs(e.q.matrix[i * d + j]) * e.half_width[i] * e.half_width[j];
        }
      }
      EXPECT_NEAR(curvature(e.q.matrix.data(), e.half_width), sum, 0x1p-46 * sum) << d;
    }
  });
}

void expect_below(const Example& e, long double least) {
  const Bounds bound = bounds(e);
  ASSERT_LE(bound.tangent, static_cast<double>(least) + bound.allowed) << e.d() << " columns";
  ASSERT_LE(bound.curvature, static_cast<double>(least) + bound.allowed) << e.d() << " columns";
}

TEST(PairBounds, AreNeverAboveTheMinimum) {
  for_each_target([] {
    RandomStream random{4, Purpose::test};
    for (std::size_t d = 1; d <= 9; ++d) {
      for (int trial = 0; trial < 40; ++trial) {
        const Example e(d, random);
        expect_below(e, std::min(least_at_vertices(e), least_inside(e, 20, random)));
      }
    }
  });
}

// All 2^17 vertices are worth one look.
TEST(PairBounds, HoldForManyColumns) {
  RandomStream random{5, Purpose::test};
  const Example one(17, random);
  expect_below(one, least_at_vertices(one));
  for (int trial = 0; trial < 50; ++trial) {
    const Example e(17, random);
    long double least = least_inside(e, 20, random);
    for (int i = 0; i < 100; ++i) least = std::min(least, e.difference(vertex(e, random.below(1U << 17U))));
    expect_below(e, least);
  }
}

TEST(PairBounds, AreTheDifferenceWhereTheBoxIsAPoint) {
  RandomStream random{6, Purpose::test};
  for (const std::size_t d : {1U, 4U, 5U, 17U}) {
    Example e(d, random);
    std::ranges::fill(e.half_width, 0.0);
    const Bounds bound = bounds(e);
    EXPECT_NEAR(bound.tangent, static_cast<double>(e.difference(e.centre)), bound.allowed);
    EXPECT_NEAR(bound.curvature, static_cast<double>(e.difference(e.centre)), bound.allowed);
  }
}

// The difference is linear then, and least at a vertex.
TEST(CurvatureBound, IsExactForEqualMatrices) {
  for_each_target([] {
    RandomStream random{7, Purpose::test};
    for (std::size_t d = 1; d <= 9; ++d) {
      for (int trial = 0; trial < 20; ++trial) {
        Example e(d, random);
        e.q.matrix = e.p.matrix;
        const auto least = static_cast<double>(least_at_vertices(e));
        const double size =
            std::abs(least) + static_cast<double>(std::abs(value(e.q, e.centre)) + std::abs(value(e.p, e.centre)));
        ASSERT_NEAR(bounds(e).curvature, least, 1e-12 * (1.0 + size)) << d << " columns";
      }
    }
  });
}

// In one column the difference is a parabola, opening upwards or downwards: nothing is given away.
TEST(CurvatureBound, IsExactForOneColumn) {
  RandomStream random{8, Purpose::test};
  for (int trial = 0; trial < 500; ++trial) {
    const Example e(1, random);
    const Bounds bound = bounds(e);
    const auto least = static_cast<double>(std::min(least_at_vertices(e), least_inside(e, 1, random)));
    ASSERT_NEAR(bound.curvature, least, bound.allowed);
  }
}

// With the same mean, seen from there, a difference that falls away along both axes is least at a vertex; there the
// mixed terms add up as the bound says.
TEST(CurvatureBound, IsAttainedByTwoColumns) {
  RandomStream random{9, Purpose::test};
  for (int trial = 0; trial < 100; ++trial) {
    Example e(2, random);
    e.q.m = e.p.m = e.centre;
    for (std::size_t i = 0; i < 4; ++i)
      e.q.matrix[i] = 0.5 * e.p.matrix[i] * (i == 1 || i == 2 ? random.uniform() : 1.0);
    e.q.matrix[2] = e.q.matrix[1];
    const Bounds bound = bounds(e);
    ASSERT_NEAR(bound.curvature, static_cast<double>(least_at_vertices(e)), bound.allowed);
  }
}

// Where q is flat, nothing makes up for the rise of p above its tangent.
TEST(TangentBound, IsAttainedByAFlatForm) {
  RandomStream random{10, Purpose::test};
  for (int trial = 0; trial < 100; ++trial) {
    Example e(1, random);
    e.q.matrix = {0.0};
    const Bounds bound = bounds(e);
    ASSERT_NEAR(bound.tangent, static_cast<double>(least_at_vertices(e)), bound.allowed);
  }
}

// The same by the code for a number of columns that the compiler knows.
template <std::size_t D>
Bounds bounds_by_template(const Example& e) {
  const std::span<const double, D> centre(e.centre);
  const std::span<const double, D> half_width(e.half_width);
  Vector gradient_q(D);
  Vector gradient_p(D);
  const double difference =
      at_centre(e.q.view(), centre, gradient_q.data()).value - at_centre(e.p.view(), centre, gradient_p.data()).value;
  return {tangent_bound(difference, gradient_q.data(), gradient_p.data(), curvature(e.p.matrix.data(), half_width),
                        half_width),
          curvature_bound(difference, gradient_q.data(), gradient_p.data(), e.q.matrix.data(), e.p.matrix.data(),
                          half_width),
          bounds(e).allowed};
}

template <std::size_t D>
void expect_same_by_template(RandomStream& random) {
  for (int trial = 0; trial < 50; ++trial) {
    const Example e(D, random);
    const Bounds bound = bounds(e);
    EXPECT_NEAR(bounds_by_template<D>(e).tangent, bound.tangent, bound.allowed);
    EXPECT_NEAR(bounds_by_template<D>(e).curvature, bound.curvature, bound.allowed);
    Vector gradient(D);
    Vector by_vectors(D);
    const AtCentre at = at_centre(e.q.view(), std::span<const double, D>(e.centre), gradient.data());
    const AtCentre expected = at_centre(e.q.view(), e.centre, by_vectors.data());
    EXPECT_NEAR(at.squared_distance, expected.squared_distance, 0x1p-48 * expected.squared_distance);
    for (std::size_t i = 0; i < D; ++i) {
      EXPECT_NEAR(gradient[i], by_vectors[i], 0x1p-46 * (1.0 + 10.0 * std::abs(at.value) + std::abs(gradient[i])));
    }
  }
}

TEST(PairBounds, OfFewColumnsAreTheSame) {
  RandomStream random{12, Purpose::test};
  expect_same_by_template<1>(random);
  expect_same_by_template<2>(random);
  expect_same_by_template<3>(random);
  expect_same_by_template<4>(random);
  expect_same_by_template<5>(random);
}

// A column in which nothing happens: no width, no curvature, means at the centre.
Form padded(const Form& form, const Vector& centre, std::size_t d) {
  Form wide = form;
  const std::size_t n = form.m.size();
  wide.m = centre;
  std::ranges::copy(form.m, wide.m.begin());
  wide.matrix.assign(d * d, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) wide.matrix[i * d + j] = form.matrix[i * n + j];
  }
  return wide;
}

Example padded(const Example& e, std::size_t d) {
  Example wide = e;
  wide.centre.resize(d, 1.5);
  wide.half_width.resize(d, 0.0);
  wide.q = padded(e.q, wide.centre, d);
  wide.p = padded(e.p, wide.centre, d);
  return wide;
}

// Vectors of 2, 4 or 8 numbers leave other remainders.
TEST(PairBounds, DoNotChangeWithColumnsInWhichNothingHappens) {
  for_each_target([] {
    RandomStream random{11, Purpose::test};
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 8U}) {
      for (const std::size_t to : {5U, 9U, 17U}) {
        const Example e(d, random);
        const Example wide = padded(e, std::max<std::size_t>(d, to));
        Vector gradient(wide.d());
        const AtCentre narrow = at_centre(e.q.view(), e.centre, gradient.data());
        const AtCentre at = at_centre(wide.q.view(), wide.centre, gradient.data());
        const Bounds bound = bounds(e);
        EXPECT_NEAR(at.value, narrow.value, bound.allowed);
        EXPECT_NEAR(at.squared_distance, narrow.squared_distance, 0x1p-48 * narrow.squared_distance);
        EXPECT_NEAR(bounds(wide).tangent, bound.tangent, bound.allowed) << d << " in " << to;
        EXPECT_NEAR(bounds(wide).curvature, bound.curvature, bound.allowed) << d << " in " << to;
        EXPECT_TRUE(std::all_of(gradient.begin() + static_cast<std::ptrdiff_t>(d), gradient.end(),
                                [](double g) { return g == 0.0; }));
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
