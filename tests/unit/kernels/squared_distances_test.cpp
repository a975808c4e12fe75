// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/squared_distances.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
namespace {

TEST(SquaredDistances, AreThoseByHandToTheLastBit) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 3U, 8U, 21U}) {
      for (const std::size_t n_rows : {1U, 7U, 16U, 100U, 255U, 256U}) {
        for (const std::size_t n_points : {1U, 3U, 4U, 9U}) {
          const std::vector<double> rows = random_numbers(n_rows * d, d);
          const std::vector<double> points = random_numbers(n_points * d, 1000 + d);
          std::vector<double> panel(d * panel_stride);
          load_panel(rows.data(), nullptr, n_rows, std::vector<double>(d, 0.0), panel.data());
          std::vector<double> squared(n_points * panel_rows);
          squared_distances(PanelView{panel.data(), n_rows, d}, points.data(), n_points, squared.data());
          for (std::size_t p = 0; p < n_points; ++p) {
            for (std::size_t row = 0; row < n_rows; ++row) {
              ASSERT_EQ(squared[p * panel_rows + row], by_hand(rows.data() + row * d, points.data() + p * d, d));
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
