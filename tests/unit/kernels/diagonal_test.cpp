// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/diagonal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

// Rows, a product's m and b, of all sizes: products of them are far beyond what a number can hold.
struct ProductExample {
  ProductExample(std::size_t n_rows, std::size_t d)
      : random{n_rows, Purpose::test, d}, panel(d * panel_stride), m(d), b(d), n_rows(n_rows) {
    for (double& value : panel) value = wide();
    for (double& value : m) value = wide();
    for (double& value : b) value = std::abs(wide());
  }
  double wide() { return random.normal() * std::pow(10.0, random.uniform(-30.0, 60.0)); }
  // factor(b, squared distance from m), column by column
  template <class Factor>
  [[nodiscard]] double log_product(std::size_t row, const Factor& factor) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < m.size(); ++c) {
      const double t = panel[c * panel_stride + row] - m[c];
      sum += std::log(factor(b[c], t * t));
    }
    return sum;
  }

  RandomStream random;
  std::vector<double> panel;
  std::vector<double> m;
  std::vector<double> b;
  std::size_t n_rows;
};

TEST(DiagonalLogProducts, EqualTheSumOfLogarithms) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 5U, 33U, 200U}) {
      for (const std::size_t n_rows : {1U, 7U, 16U, 33U, 100U, 255U, 256U}) {
        const ProductExample example(n_rows, d);
        const double least = 1e20;
        const DiagonalProduct forms[] = {{example.m, example.b, 0.7, 0.0}, {example.m, example.b, -0.7, least}};
        std::vector<double> out(2 * panel_stride, 9.0);
        diagonal_log_products({example.panel.data(), n_rows, d}, forms, out.data());
        for (std::size_t row = 0; row < n_rows; ++row) {
          const double grown = example.log_product(row, [](double b, double t2) { return b + 0.7 * t2; });
          const double left =
              example.log_product(row, [&](double b, double t2) { return std::max(least, b - 0.7 * t2); });
          ASSERT_NEAR(out[row], grown, 1e-13 * static_cast<double>(d) * 300.0);
          ASSERT_NEAR(out[panel_stride + row], left, 1e-13 * static_cast<double>(d) * 300.0);
        }
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
