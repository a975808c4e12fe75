// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/kernels/simd_targets.hpp"
#include "unit/kernels/square_examples.hpp"

namespace coppice::kernels {
namespace {

constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 61};

SquareMatrix positive(std::size_t n) {
  SquareMatrix square = random_square(n, n + 2, n);
  for (std::size_t i = 0; i < n; ++i) square.row(i)[i] += 0.5;
  return square;
}

TEST(Cholesky, FactorsGiveTheMatrixBack) {
  for_each_target([] {
    for (const std::size_t n : sizes) {
      const SquareMatrix a = positive(n);
      SquareMatrix r = a;
      ASSERT_TRUE(factorize(r)) << n;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) {
          double sum = 0.0;
          for (std::size_t k = 0; k <= i; ++k) sum += r.row(k)[i] * r.row(k)[j];
          ASSERT_NEAR(sum, a.row(i)[j], 1e-12 * static_cast<double>(n)) << n << ' ' << i << ' ' << j;
        }
      }
    }
  });
}

TEST(Cholesky, OnlyTheUpperHalfIsRead) {
  SquareMatrix a = positive(13);
  SquareMatrix torn = a;
  for (std::size_t i = 0; i < 13; ++i) {
    for (std::size_t j = 0; j < i; ++j) torn.row(i)[j] = std::numeric_limits<double>::quiet_NaN();
  }
  ASSERT_TRUE(factorize(a) && factorize(torn));
  EXPECT_EQ(log_det_of_factor(a), log_det_of_factor(torn));
}

// | 4 2 |
// | 2 5 | has the determinant 16, R = (2 1; 0 2) and R'^-1 = (1/2 0; -1/4 1/2).
TEST(Cholesky, ByHand) {
  SquareMatrix a(2);
  a.row(0)[0] = 4.0;
  a.row(0)[1] = a.row(1)[0] = 2.0;
  a.row(1)[1] = 5.0;
  ASSERT_TRUE(factorize(a));
  EXPECT_NEAR(log_det_of_factor(a), std::log(16.0), 1e-15);
  const SquareMatrix w = inverse_of_factor(a);
  EXPECT_EQ(w.row(0)[0], 0.5);
  EXPECT_EQ(w.row(0)[1], 0.0);
  EXPECT_EQ(w.row(1)[0], -0.25);
  EXPECT_EQ(w.row(1)[1], 0.5);
}

TEST(Cholesky, WhatIsNotPositiveDefiniteIsRefused) {
  for (const std::size_t bad : {0U, 3U, 4U, 8U}) {
    SquareMatrix a = positive(9);
    a.row(bad)[bad] = -1.0;
    EXPECT_FALSE(factorize(a)) << bad;
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      a = positive(9);
      a.row(bad)[bad] = value;
      EXPECT_FALSE(factorize(a)) << bad << ' ' << value;
    }
  }
}

// W = R'^-1: R' W = I, and W' W = A^-1.
TEST(Cholesky, InverseAndItsGram) {
  for_each_target([] {
    for (const std::size_t n : sizes) {
      const SquareMatrix a = positive(n);
      SquareMatrix r = a;
      ASSERT_TRUE(factorize(r));
      const SquareMatrix w = inverse_of_factor(r);
      const SquareMatrix gram = gram_of_triangle(w);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          double of_w = 0.0;
          double of_gram = 0.0;
          for (std::size_t k = 0; k <= i; ++k) of_w += r.row(k)[i] * w.row(k)[j];
          for (std::size_t k = 0; k < n; ++k) of_gram += gram.row(i)[k] * a.row(k)[j];
          ASSERT_NEAR(of_w, i == j ? 1.0 : 0.0, 1e-11) << n << ' ' << i << ' ' << j;
          ASSERT_NEAR(of_gram, i == j ? 1.0 : 0.0, 1e-9) << n << ' ' << i << ' ' << j;
          if (j > i) {
            ASSERT_EQ(w.row(i)[j], 0.0);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
