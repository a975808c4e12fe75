// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/diagonal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
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
        std::vector<double> x(d);
        for (std::size_t f = 0; f < n_forms; ++f) {
          for (std::size_t row = 0; row < n_rows; ++row) {
            double sum = 0.0;
            for (std::size_t c = 0; c < d; ++c) {
              x[c] = panel[c * panel_stride + row];
              const double t = x[c] - forms[f].m[c];
              sum += forms[f].scale[c] * t * forms[f].scale[c] * t;
            }
            ASSERT_NEAR(out[f * panel_stride + row], sum + forms[f].a, 1e-13 * (1.0 + sum));
            const ExactQuadratic exact = exact_diagonal(x, forms[f]);
            ASSERT_NEAR(exact.value, sum + forms[f].a, 1e-13 * (1.0 + sum));
            ASSERT_NEAR(exact.scale, sum, 1e-13 * sum);
          }
        }
      }
    }
  });
}

// Stored rows, an origin, and forms; `shift` away from the origin digits are lost.
template <class Value>
struct DensityExample {
  DensityExample(std::size_t n_stored, std::size_t d, std::size_t n_forms, double shift)
      : values(n_stored * d), m(n_forms * d), scale(n_forms * d) {
    RandomStream random{n_stored, Purpose::test, d};
    for (std::size_t c = 0; c < d; ++c) origin.push_back(random.normal());
    for (Value& value : values) value = static_cast<Value>(shift + random.normal());
    for (double& value : m) value = shift + random.normal();
    for (double& value : scale) value = random.uniform(0.1, 3.0);
    for (std::size_t f = 0; f < n_forms; ++f) {
      forms.push_back({std::span(m).subspan(f * d, d), std::span(scale).subspan(f * d, d), random.normal()});
    }
  }
  [[nodiscard]] StoredRows stored(std::size_t n_rows, std::size_t n_following) const {
    StoredRows rows{.n_rows = n_rows, .origin = origin.data(), .n_following = n_following};
    set_values(rows, values);
    return rows;
  }
  // Minus the cost of a stored row, and how much rounding x and m once more would change it.
  [[nodiscard]] std::pair<double, double> log_density(std::size_t row, const DiagonalForm& form) const {
    const std::size_t d = origin.size();
    double sum = 0.0;
    double by_rounding = 1e-15 * std::abs(form.a);
    for (std::size_t c = 0; c < d; ++c) {
      const double x = static_cast<double>(values[row * d + c]) - origin[c];
      const double t = form.scale[c] * (x - form.m[c]);
      sum += t * t;
      const double off = 0x1p-51 * form.scale[c] * (std::abs(x) + std::abs(form.m[c]));
      by_rounding += off * (2.0 * std::abs(t) + off);
    }
    return {-(sum + form.a), by_rounding + 1e-13 * sum};
  }

  std::vector<Value> values;
  std::vector<double> origin;
  std::vector<double> m;
  std::vector<double> scale;
  std::vector<DiagonalForm> forms;
};

template <class Value>
void check_log_densities(std::size_t n_rows, std::size_t d, std::size_t n_forms) {
  const std::size_t n_following = n_rows / 2;
  const DensityExample<Value> example(n_rows + n_following, d, n_forms, n_rows % 2 == 0 ? 0.0 : 1e6);
  std::vector<std::size_t> index;  // from the last row on
  for (std::size_t i = 0; i < n_rows; ++i) index.push_back((n_rows + n_following) - 1 - i);
  StoredRows chosen = example.stored(n_rows, 0);
  chosen.index = index.data();
  std::vector<double> of_run(n_forms * panel_stride, 9.0);
  std::vector<double> of_chosen(n_forms * panel_stride, 9.0);
  diagonal_log_densities(example.stored(n_rows, n_following), d, example.forms, of_run.data());
  diagonal_log_densities(chosen, d, example.forms, of_chosen.data());
  for (std::size_t f = 0; f < n_forms; ++f) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      const auto [want, off] = example.log_density(row, example.forms[f]);
      ASSERT_NEAR(of_run[f * panel_stride + row], want, off) << row << ", " << f << " of " << n_forms;
      const auto [of_other, other_off] = example.log_density(index[row], example.forms[f]);
      ASSERT_NEAR(of_chosen[f * panel_stride + row], of_other, other_off) << row << ", " << f;
    }
    for (std::size_t row = (n_rows + 15) / 16 * 16; row < panel_stride; ++row) {
      ASSERT_EQ(of_run[f * panel_stride + row], 9.0) << "at most 15 numbers behind the last row";
    }
  }
}

TEST(DiagonalLogDensities, EqualMinusTheCosts) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 3U, 5U, 33U}) {
      for (const std::size_t n_rows : {1U, 7U, 16U, 31U, 32U, 33U, 64U, 255U, 256U}) {
        for (const std::size_t n_forms : {1U, 2U, 3U, 4U, 7U, 16U}) {
          check_log_densities<double>(n_rows, d, n_forms);
          check_log_densities<float>(n_rows, d, n_forms);
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
