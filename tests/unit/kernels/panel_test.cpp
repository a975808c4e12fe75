// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/panel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
namespace {

constexpr double untouched = -777.0;

// Value of column c of row r, exact as a float.
double value_at(std::size_t row, std::size_t c) {
  return static_cast<double>(row) * 64.0 + static_cast<double>(c) + 0.5;
}

template <class Value>
std::vector<Value> table(std::size_t n_rows, std::size_t n_columns) {
  std::vector<Value> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t c = 0; c < n_columns; ++c) values.push_back(static_cast<Value>(value_at(row, c)));
  }
  return values;
}

void expect_panel(const std::vector<double>& panel, const std::vector<std::size_t>& rows,
                  const std::vector<double>& origin) {
  const std::size_t padded = std::min(panel_rows, (rows.size() + 15) / 16 * 16);
  for (std::size_t c = 0; c < origin.size(); ++c) {
    const double* column = PanelView{panel.data(), rows.size(), origin.size()}.column(c);
    for (std::size_t i = 0; i < rows.size(); ++i)
      ASSERT_EQ(column[i], value_at(rows[i], c) - origin[c]) << i << ' ' << c;
    for (std::size_t i = rows.size(); i < padded; ++i) ASSERT_EQ(column[i], 0.0) << i << ' ' << c;
    for (std::size_t i = padded; i < panel_stride; ++i) ASSERT_EQ(column[i], untouched) << i << ' ' << c;
  }
}

std::vector<double> origin_of(std::size_t n_columns) {
  std::vector<double> origin;
  for (std::size_t c = 0; c < n_columns; ++c) origin.push_back(0.25 * static_cast<double>(c) - 2.0);
  return origin;
}

template <class Value>
void check_runs(std::size_t n_columns) {
  const std::vector<double> origin = origin_of(n_columns);
  const std::vector<Value> values = table<Value>(panel_rows, n_columns);
  for (const std::size_t n_rows : {1U, 2U, 3U, 4U, 5U, 15U, 16U, 17U, 100U, 255U, 256U}) {
    std::vector<double> panel(n_columns * panel_stride, untouched);
    load_panel(values.data(), nullptr, n_rows, origin, panel.data());
    std::vector<std::size_t> rows(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) rows[i] = i;
    expect_panel(panel, rows, origin);
  }
}

template <class Value>
void check_chosen(std::size_t n_columns) {
  const std::vector<double> origin = origin_of(n_columns);
  const std::vector<Value> values = table<Value>(500, n_columns);
  const std::vector<std::size_t> chosen = {499, 0, 7, 7, 300, 256, 255};
  std::vector<double> panel(n_columns * panel_stride, untouched);
  load_panel(values.data(), chosen.data(), chosen.size(), origin, panel.data());
  expect_panel(panel, chosen, origin);
}

TEST(LoadPanel, RunsOfRows) {
  for_each_target([] {
    for (const std::size_t n_columns : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 31U, 32U}) {
      check_runs<double>(n_columns);
      check_runs<float>(n_columns);
    }
  });
}

TEST(LoadPanel, ChosenRows) {
  for_each_target([] {
    for (const std::size_t n_columns : {1U, 2U, 3U, 4U, 7U, 32U}) {
      check_chosen<double>(n_columns);
      check_chosen<float>(n_columns);
    }
  });
}

// The subtraction happens in double: a float minus its near neighbour keeps all digits of the origin.
TEST(LoadPanel, FloatsAreWidenedBeforeTheOriginGoes) {
  const std::vector<float> values = {0.1F};
  const std::vector<double> origin = {0.1};
  std::vector<double> panel(panel_stride);
  load_panel(values.data(), nullptr, 1, origin, panel.data());
  EXPECT_EQ(panel[0], static_cast<double>(0.1F) - 0.1);
  EXPECT_NE(panel[0], 0.0);
}

}  // namespace
}  // namespace coppice::kernels
