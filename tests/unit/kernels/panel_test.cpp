// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/panel.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace coppice::kernels {
namespace {

constexpr double untouched = -777.0;

// Value of column c of row r, exact as a float.
double value_at(std::size_t row, std::size_t c) { return static_cast<double>(row) * 8.0 + static_cast<double>(c) + 0.5; }

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
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(column[i], value_at(rows[i], c) - origin[c]) << i << ' ' << c;
    for (std::size_t i = rows.size(); i < padded; ++i) ASSERT_EQ(column[i], 0.0) << i << ' ' << c;
    for (std::size_t i = padded; i < panel_stride; ++i) ASSERT_EQ(column[i], untouched) << i << ' ' << c;
  }
}

template <class Value>
void check_runs() {
  const std::vector<double> origin = {1.0, -2.0, 0.25};
  const std::vector<Value> values = table<Value>(panel_rows, origin.size());
  for (const std::size_t n_rows : {1U, 2U, 15U, 16U, 17U, 100U, 255U, 256U}) {
    std::vector<double> panel(origin.size() * panel_stride, untouched);
    load_panel(values.data(), nullptr, n_rows, origin, panel.data());
    std::vector<std::size_t> rows(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) rows[i] = i;
    expect_panel(panel, rows, origin);
  }
}

template <class Value>
void check_chosen() {
  const std::vector<double> origin = {0.5, 3.0};
  const std::vector<Value> values = table<Value>(500, origin.size());
  const std::vector<std::size_t> chosen = {499, 0, 7, 7, 300, 256, 255};
  std::vector<double> panel(origin.size() * panel_stride, untouched);
  load_panel(values.data(), chosen.data(), chosen.size(), origin, panel.data());
  expect_panel(panel, chosen, origin);
}

TEST(LoadPanel, RunsOfRows) {
  check_runs<double>();
  check_runs<float>();
}

TEST(LoadPanel, ChosenRows) {
  check_chosen<double>();
  check_chosen<float>();
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
