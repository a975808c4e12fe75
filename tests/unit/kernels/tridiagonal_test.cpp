// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/tridiagonal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "coppice/kernels/cholesky.hpp"
#include "unit/kernels/simd_targets.hpp"
#include "unit/kernels/square_examples.hpp"

namespace coppice::kernels {
namespace {

constexpr std::array<double, 11> shifts = {0.03, 0.1, 0.7, 1.0, 2.0, 5.0, 17.0, 100.0, 1e3, 1e5, 1e7};

double log_det(const SquareMatrix& a, double shift, double added_to_first = 0.0) {
  SquareMatrix shifted = a;
  for (std::size_t i = 0; i < a.n(); ++i) shifted.row(i)[i] += shift;
  shifted.row(0)[0] += added_to_first;
  EXPECT_TRUE(factorize(shifted));
  return log_det_of_factor(shifted);
}

Tridiagonal tridiagonal_of(SquareMatrix a) { return tridiagonalize(a); }

TEST(Tridiagonal, LogDetsAreThoseOfTheMatrix) {
  for_each_target([] {
    for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 17U, 40U, 65U}) {
      for (const std::size_t rank : {std::size_t{n}, std::size_t{(n + 1) / 2}}) {
        const SquareMatrix a = random_square(n, rank, n + rank);
        std::array<double, shifts.size()> found{};
        shifted_log_dets(tridiagonal_of(a), shifts, found.data());
        for (std::size_t i = 0; i < shifts.size(); ++i) {
          ASSERT_NEAR(found[i], log_det(a, shifts[i]), 1e-11 * static_cast<double>(n)) << n << ' ' << rank << ' ' << i;
        }
      }
    }
  });
}

// The first coordinate stays in place: what is added to its entry is added to T's.
TEST(Tridiagonal, TheFirstEntryIsTheMatrixs) {
  const SquareMatrix a = random_square(12, 12, 5);
  Tridiagonal t = tridiagonal_of(a);
  EXPECT_EQ(t.diagonal[0], a.row(0)[0]);
  t.diagonal[0] += 3.5;
  double found = 0.0;
  shifted_log_dets(t, {shifts.data(), 1}, &found);
  EXPECT_NEAR(found, log_det(a, shifts[0], 3.5), 1e-11);
}

TEST(Tridiagonal, ADiagonalMatrixIsOneAlready) {
  SquareMatrix a(6);
  for (std::size_t i = 0; i < 6; ++i) a.row(i)[i] = static_cast<double>(i);
  const Tridiagonal t = tridiagonal_of(a);
  EXPECT_EQ(t.diagonal, (std::vector<double>{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}));
  EXPECT_EQ(t.squares, std::vector<double>(5, 0.0));
}

// | 3 3 4 |   reflected by H with H (3, 4) = (-5, 0): beside the first entry stands 5, and
// | 3 1 0 |   T_22 = (1 9 + 2 16) / 25 = 41 / 25, T_33 = (1 16 + 2 9) / 25 = 34 / 25,
// | 4 0 2 |   T_23^2 = ((2 - 1) 12 / 25)^2.
TEST(Tridiagonal, ByHand) {
  SquareMatrix a(3);
  const double values[3][3] = {{3.0, 3.0, 4.0}, {3.0, 1.0, 0.0}, {4.0, 0.0, 2.0}};
  for (std::size_t i = 0; i < 3; ++i) std::copy(values[i], values[i] + 3, a.row(i));
  const Tridiagonal t = tridiagonal_of(a);
  const double diagonal[] = {3.0, 41.0 / 25.0, 34.0 / 25.0};
  const double squares[] = {25.0, 144.0 / 625.0};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(t.diagonal[i], diagonal[i], 1e-14);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(t.squares[i], squares[i], 1e-14);
}

// Rounding may leave a pivot below the shift, which no matrix without negative eigenvalues has.
TEST(Tridiagonal, PivotsAreNeverLessThanTheShift) {
  const Tridiagonal t{{1.0, 1.0 - 1e-9}, {1.0}};
  const double shift = 1e-12;
  double found = 0.0;
  shifted_log_dets(t, {&shift, 1}, &found);
  EXPECT_NEAR(found, std::log(1.0 + shift) + std::log(shift), 1e-12);
}

}  // namespace
}  // namespace coppice::kernels
