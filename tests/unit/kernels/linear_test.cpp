// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

struct Forms {
  Forms(std::size_t n_forms, std::size_t d, std::uint64_t seed) {
    RandomStream random{seed, Purpose::test, 90};
    for (std::size_t f = 0; f < n_forms; ++f) {
      coefficients.emplace_back(d);
      for (double& a : coefficients.back()) a = random.normal();
    }
    for (const std::vector<double>& a : coefficients) forms.push_back({a, random.normal()});
  }
  std::vector<std::vector<double>> coefficients;
  std::vector<LinearForm> forms;
};

// Value and scale, summed up otherwise.
ExactLinear plain(const std::vector<double>& x, const LinearForm& form) {
  long double value = form.b;
  long double scale = std::abs(form.b);
  for (std::size_t c = 0; c < x.size(); ++c) {
    value += static_cast<long double>(form.a[c]) * x[c];
    scale += std::abs(static_cast<long double>(form.a[c]) * x[c]);
  }
  return {static_cast<double>(value), static_cast<double>(scale)};
}

TEST(LinearCosts, EqualTheSumOverColumns) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 5U, 33U}) {
      for (const std::size_t n_forms : {1U, 3U, 4U, 9U}) {
        for (const std::size_t n_rows : {1U, 7U, 16U, 31U, 100U, 256U}) {
          const Forms forms(n_forms, d, n_rows);
          RandomStream random{n_rows, Purpose::test, d};
          std::vector<double> panel(d * panel_stride, 0.0);
          for (double& value : panel) value = random.normal();
          std::vector<double> out(n_forms * panel_stride);
          linear_costs({panel.data(), n_rows, d}, forms.forms, out.data());
          std::vector<double> x(d);
          for (std::size_t row = 0; row < n_rows; ++row) {
            for (std::size_t c = 0; c < d; ++c) x[c] = panel[c * panel_stride + row];
            for (std::size_t f = 0; f < n_forms; ++f) {
              const ExactLinear want = plain(x, forms.forms[f]);
              ASSERT_NEAR(out[f * panel_stride + row], want.value, 1e-14 * want.scale);
              const ExactLinear exact = exact_linear(x, forms.forms[f]);
              ASSERT_NEAR(exact.value, want.value, 1e-14 * want.scale);
              ASSERT_NEAR(exact.scale, want.scale, 1e-14 * want.scale);
            }
          }
        }
      }
    }
  });
}

TEST(LinearTable, TakesEntriesForAllForms) {
  for_each_target([] {
    constexpr std::size_t d = 150;
    for (const std::size_t n_forms : {1U, 2U, 4U, 5U, 13U, 20U, 32U, 47U, 100U}) {
      const Forms forms(n_forms, d, n_forms);
      const LinearTable table(forms.forms, d);
      ASSERT_EQ(table.size(), n_forms);
      for (const std::size_t n_entries : {0U, 1U, 2U, 50U, 150U}) {
        RandomStream random{n_entries, Purpose::test, n_forms};
        std::vector<double> x(d, 0.0);
        std::vector<std::uint32_t> columns;
        std::vector<double> values;
        std::vector<float> floats;
        for (std::size_t c = 0; c < n_entries; ++c) {
          columns.push_back(static_cast<std::uint32_t>(c * (d / n_entries)));
          floats.push_back(static_cast<float>(random.normal()));
          values.push_back(static_cast<double>(floats.back()));
          x[columns.back()] = values.back();
        }
        std::vector<double> out(table.stride());
        std::vector<double> of_floats(table.stride());
        table.at(columns, values, out.data());
        table.at(columns, floats, of_floats.data());
        for (std::size_t f = 0; f < n_forms; ++f) {
          const ExactLinear want = plain(x, forms.forms[f]);
          ASSERT_NEAR(out[f], want.value, 1e-14 * want.scale) << n_forms << " forms";
          ASSERT_EQ(of_floats[f], out[f]);
          const ExactLinear dense = exact_linear(x, forms.forms[f]);
          ASSERT_EQ(exact_linear(columns, values, forms.forms[f]).value, dense.value);
          ASSERT_EQ(exact_linear(columns, floats, forms.forms[f]).scale, dense.scale);
        }
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
