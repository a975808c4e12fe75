// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/diagonal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
namespace {

TEST(DiagonalCosts, EqualTheSumOverColumns) {
  constexpr std::size_t n_forms = 3;
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 8U, 33U}) {
      for (const std::size_t n_rows : {1U, 2U, 7U, 16U, 31U, 33U, 64U, 100U, 255U, 256U}) {
        RandomStream random{n_rows, Purpose::test, d};
        std::vector<double> panel(d * panel_stride, 0.0);
        const double shift = n_rows % 2 == 0 ? 0.0 : 1e6;  // far off, digits are lost
        for (double& value : panel) value = shift + random.normal();
        std::vector<double> m(n_forms * d);
        std::vector<double> scale(n_forms * d);
        for (double& value : m) value = shift + random.normal();
        for (double& value : scale) value = random.uniform(0.1, 3.0);
        std::vector<DiagonalForm> forms;
        for (std::size_t f = 0; f < n_forms; ++f) {
          forms.push_back({std::span(m).subspan(f * d, d), std::span(scale).subspan(f * d, d), random.normal()});
        }
        std::vector<double> out(n_forms * panel_stride, 9.0);
        diagonal_costs({panel.data(), n_rows, d}, forms, out.data());
        std::vector<double> negated(n_forms * panel_stride, 9.0);
        diagonal_log_densities({panel.data(), n_rows, d}, forms, negated.data());
        std::vector<double> x(d);
        for (std::size_t f = 0; f < n_forms; ++f) {
          for (std::size_t row = 0; row < n_rows; ++row) {
            double sum = 0.0;
            double squared_distance = 0.0;
            double by_rounding = 1e-15 * std::abs(forms[f].a);  // what rounding x and m once more would change
            for (std::size_t c = 0; c < d; ++c) {
              x[c] = panel[c * panel_stride + row];
              const double t = x[c] - forms[f].m[c];
              sum += forms[f].scale[c] * t * forms[f].scale[c] * t;
              squared_distance += t * t;
              const double off = 0x1p-51 * forms[f].scale[c] * (std::abs(x[c]) + std::abs(forms[f].m[c]));
              by_rounding += off * (2.0 * forms[f].scale[c] * std::abs(t) + off);
            }
            ASSERT_NEAR(out[f * panel_stride + row], sum + forms[f].a, 1e-13 * (1.0 + sum));
            ASSERT_NEAR(negated[f * panel_stride + row], -(sum + forms[f].a), by_rounding + 1e-13 * sum);
            const ExactQuadratic exact = exact_diagonal(x, forms[f], 2.0);
            ASSERT_NEAR(exact.value, sum + forms[f].a, 1e-13 * (1.0 + sum));
            ASSERT_NEAR(exact.scale, 2.0 * squared_distance, 1e-13 * squared_distance);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
