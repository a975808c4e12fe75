// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

struct Example {
  std::vector<double> panel;
  std::vector<double> m;
  BandedTriangle w;
  double a = -1.75;
  double squared_norm_of_w = 0.0;
  std::vector<double> squared_columns;

  explicit Example(std::size_t d) : panel(d * panel_stride), m(d), w(d), squared_columns(d, 0.0) {
    RandomStream random{d, Purpose::test};
    for (double& value : panel) value = random.normal();
    for (double& value : m) value = 3.0 * random.normal();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        w.at(i, j) = random.normal();
        squared_norm_of_w += w.at(i, j) * w.at(i, j);
        squared_columns[j] += w.at(i, j) * w.at(i, j);
      }
    }
  }
  [[nodiscard]] QuadraticForm form() const { return {m, &w, a}; }
  [[nodiscard]] std::vector<double> row(std::size_t r) const {
    std::vector<double> x(m.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = panel[j * panel_stride + r];
    return x;
  }
};

// The scalar twin, with digits to spare.
long double twin(const Example& example, std::size_t row) {
  long double sum = example.a;
  for (std::size_t i = 0; i < example.m.size(); ++i) {
    long double y = 0.0L;
    for (std::size_t j = 0; j <= i; ++j) {
      y += static_cast<long double>(example.w.at(i, j)) *
           (static_cast<long double>(example.panel[j * panel_stride + row]) - example.m[j]);
    }
    sum += y * y;
  }
  return sum;
}

long double squared_distance(const Example& example, std::size_t row) {
  long double sum = 0.0L;
  for (std::size_t j = 0; j < example.m.size(); ++j) {
    const long double t = static_cast<long double>(example.panel[j * panel_stride + row]) - example.m[j];
    sum += t * t;
  }
  return sum;
}

// The rounding that the tie rule reckons with (family/tie_rule.hpp).
double allowed(const Example& example, std::size_t row) {
  const auto d = static_cast<double>(example.m.size());
  const double scale = example.squared_norm_of_w * static_cast<double>(squared_distance(example, row));
  return 0x1p-50 * (d + 8.0) * (1.0 + std::abs(example.a) + scale);
}

void check_rows(const Example& example, std::size_t n_rows) {
  std::vector<double> out(panel_stride);
  quadratic_costs({example.panel.data(), n_rows, example.m.size()}, example.form(), out.data());
  for (std::size_t row = 0; row < n_rows; ++row) {
    ASSERT_NEAR(out[row], static_cast<double>(twin(example, row)), allowed(example, row))
        << row << " of " << n_rows << " rows, " << example.m.size() << " columns";
  }
}

TEST(QuadraticCosts, EqualsItsScalarTwin) {
  for_each_target([] {
    std::vector<std::size_t> dimensions = {33, 64};
    for (std::size_t d = 1; d <= 20; ++d) dimensions.push_back(d);
    for (const std::size_t d : dimensions) {
      const Example example(d);
      for (const std::size_t n_rows : {1U, 2U, 3U, 5U, 8U, 13U, 23U, 24U, 25U, 47U, 101U, 255U, 256U}) {
        check_rows(example, n_rows);
      }
    }
  });
}

TEST(QuadraticCosts, AnyNumberOfRows) {
  for_each_target([] {
    for (const std::size_t d : {2U, 7U}) {
      const Example example(d);
      for (std::size_t n_rows = 1; n_rows <= panel_rows; ++n_rows) check_rows(example, n_rows);
    }
  });
}

TEST(QuadraticCosts, WritesNothingBeyondItsPadding) {
  const Example example(5);
  std::vector<double> out(panel_stride, -777.0);
  quadratic_costs({example.panel.data(), 17, 5}, example.form(), out.data());
  for (std::size_t row = 17 + 15; row < panel_stride; ++row) ASSERT_EQ(out[row], -777.0) << row;
}

TEST(ExactQuadratic, ValueAndScale) {
  for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 8U, 33U}) {
    const Example example(d);
    for (std::size_t row = 0; row < 50; ++row) {
      const ExactQuadratic exact = exact_quadratic(example.row(row), example.form(), example.squared_columns);
      EXPECT_NEAR(exact.value, static_cast<double>(twin(example, row)), allowed(example, row));
      double scale = 0.0;
      for (std::size_t j = 0; j < d; ++j) {
        const double t = example.row(row)[j] - example.m[j];
        scale += example.squared_columns[j] * t * t;
      }
      EXPECT_NEAR(exact.scale, scale, 1e-13 * scale);
      EXPECT_LE(exact.value - example.a, static_cast<double>(d) * exact.scale * (1.0 + 1e-12));  // Cauchy-Schwarz
    }
  }
}

TEST(BandedTriangle, IsZeroOutsideAndHoldsWhatItWasGiven) {
  for (const std::size_t n : {1U, 3U, 4U, 5U, 9U}) {
    BandedTriangle w(n);
    double next = 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) w.at(i, j) = next++;
    }
    next = 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) EXPECT_EQ(w.at(i, j), next++);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n && j < i / 4 * 4 + 4; ++j) EXPECT_EQ(w.at(i, j), 0.0);
      EXPECT_EQ(w.band(i / 4)[i % 4], w.at(i, 0));
    }
  }
}

}  // namespace
}  // namespace coppice::kernels
