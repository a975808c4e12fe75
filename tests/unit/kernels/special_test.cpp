// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace coppice::kernels {
namespace {

struct Known {
  double x;
  double value;
};

void expect_close(double got, double want) { EXPECT_NEAR(got, want, 4e-15 * std::max(1.0, std::abs(want))); }

// Values to 17 digits from 50-digit arithmetic.
TEST(LogGamma, KnownValues) {
  constexpr Known values[] = {{1e-3, 6.9071788853838537},
                              {0.5, 0.57236494292470009},
                              {1.0, 0.0},
                              {2.0, 0.0},
                              {3.7, 1.4280723266653881},
                              {100.0, 359.1342053695754},
                              {12345.678, 103959.91990554606},
                              {1e9, 19723265827.503717}};
  for (const Known& known : values) {
    SCOPED_TRACE(known.x);
    expect_close(log_gamma(known.x), known.value);
  }
}

TEST(Digamma, KnownValues) {
  constexpr Known values[] = {{1e-3, -1000.5755719318103}, {0.5, -1.9635100260214235},  {1.0, -std::numbers::egamma},
                              {3.7, 1.1671535393615114},   {100.0, 4.6001618527380874}, {12345.678, 9.4210208207417609},
                              {1e9, 20.723265836446411}};
  for (const Known& known : values) {
    SCOPED_TRACE(known.x);
    expect_close(digamma(known.x), known.value);
  }
}

TEST(Special, Recurrences) {
  for (double x = 0.05; x < 50.0; x *= 1.13) {
    SCOPED_TRACE(x);
    EXPECT_NEAR(log_gamma(x + 1.0), log_gamma(x) + std::log(x), 1e-14 * (1.0 + std::abs(log_gamma(x + 1.0))));
    EXPECT_NEAR(digamma(x + 1.0), digamma(x) + 1.0 / x, 1e-14 * (1.0 + 1.0 / x));
  }
}

TEST(LogMultigamma, OneAndTwoDimensionsInClosedForm) {
  for (const double a : {0.75, 1.0, 2.5, 40.0}) {
    EXPECT_DOUBLE_EQ(log_multigamma(a, 1), log_gamma(a));
    // Legendre's duplication: Gamma_2(a) = pi 2^(2 - 2a) Gamma(2a - 1)
    const double closed = std::log(std::numbers::pi) + (2.0 - 2.0 * a) * std::numbers::ln2 + log_gamma(2.0 * a - 1.0);
    EXPECT_NEAR(log_multigamma(a, 2), closed, 1e-13 * std::max(1.0, std::abs(closed)));
  }
}

// Gamma_D(a) = pi^((D - 1) / 2) Gamma(a) Gamma_{D-1}(a - 1/2)
TEST(LogMultigamma, RecursionOverDimensions) {
  const double a = 13.25;
  for (std::size_t d = 2; d <= 20; ++d) {
    const double recursive =
        static_cast<double>(d - 1) / 2.0 * std::log(std::numbers::pi) + log_gamma(a) + log_multigamma(a - 0.5, d - 1);
    EXPECT_NEAR(log_multigamma(a, d), recursive, 1e-12 * std::abs(recursive)) << d;
  }
}

// The sums of their definitions, from a hair above the least argument on.
TEST(LogMultigamma, AndSumDigammaAreTheirSums) {
  for (const std::size_t d : {1U, 2U, 3U, 4U, 9U, 64U}) {
    const auto dimension = static_cast<double>(d);
    for (const double above : {1e-6, 0.3, 7.0, 1e4, 1e7}) {
      const double eta = dimension - 1.0 + above;
      double logs = dimension * (dimension - 1.0) / 4.0 * std::log(std::numbers::pi);
      double slopes = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        logs += log_gamma((eta - static_cast<double>(i)) / 2.0);
        slopes += digamma((eta - static_cast<double>(i)) / 2.0);
      }
      EXPECT_NEAR(log_multigamma(eta / 2.0, d), logs, 2e-14 * (1.0 + std::abs(logs))) << d << ' ' << above;
      EXPECT_NEAR(sum_digamma(eta, d), slopes, 2e-14 * (dimension + std::abs(slopes))) << d << ' ' << above;
    }
  }
}

// d log Gamma_D(eta / 2) / d eta = sum_digamma(eta, D) / 2
TEST(SumDigamma, IsTheDerivativeOfLogMultigamma) {
  for (const std::size_t d : {1U, 2U, 5U, 12U}) {
    for (const double eta : {static_cast<double>(d), static_cast<double>(d) + 0.5, 30.0}) {
      const double h = 1e-4;
      const double slope = (log_multigamma((eta + h) / 2.0, d) - log_multigamma((eta - h) / 2.0, d)) / (2.0 * h);
      EXPECT_NEAR(sum_digamma(eta, d) / 2.0, slope, 1e-6 * (1.0 + std::abs(slope))) << d << ' ' << eta;
    }
  }
}

}  // namespace
}  // namespace coppice::kernels
