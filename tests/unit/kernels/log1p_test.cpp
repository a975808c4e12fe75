// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/log1p.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
namespace {

TEST(Log1p, IsThatOfTheStandardLibrary) {
  const std::vector<double> squares = {0.0, 1e-300, 1e-17, 1e-9, 0.01, 0.3, 1.0, 2.5, 17.0, 1e3, 1e9, 1e100, 5.0};
  const LogOfSquare forms[] = {{1.5, -3.0, 0.7, 0.0}, {-2.0, 4.0, -0.25, -(1.0 - 1e-12)}};
  for_each_target([&] {
    for (const LogOfSquare& form : forms) {
      for (std::size_t n = 0; n <= squares.size(); ++n) {
        std::vector<double> values = squares;
        take_log1p(form, values.data(), n);
        for (std::size_t i = 0; i < squares.size(); ++i) {
          const double log = std::log1p(std::max(form.least, form.scale * squares[i]));
          const double expected = i < n ? form.constant + form.factor * log : squares[i];
          EXPECT_NEAR(values[i], expected, 4e-15 * (1.0 + std::abs(expected))) << n << ' ' << squares[i];
        }
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
