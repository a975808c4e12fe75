// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All distances between points, each pair once: n (n - 1) / 2 doubles.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "coppice/data/rows.hpp"

namespace coppice::internal {

class PointPanels;

class DistanceMatrix {
 public:
  // Euclidean distances of the chosen rows. Throws Stopped when asked to, LimitError if there is not enough memory.
  DistanceMatrix(const Execution& execution, const Rows& rows, std::span<const std::uint32_t> chosen);

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  // Where the distances of point i from i + 1, i + 2, ... stand, one after the other.
  [[nodiscard]] double* behind(std::size_t i) noexcept { return values_.get() + start(i); }
  [[nodiscard]] const double* behind(std::size_t i) const noexcept { return values_.get() + start(i); }
  [[nodiscard]] double& at(std::size_t i, std::size_t j) noexcept { return behind(i)[j - i - 1]; }  // i < j

  // Keeps these points only, in their order.
  void keep(std::span<const std::uint32_t> points);

 private:
  // The distances of these points from all behind them.
  void fill(const PointPanels& points, std::size_t first, std::size_t last);
  [[nodiscard]] std::size_t start(std::size_t i) const noexcept { return i * (2 * n_ - i - 1) / 2; }

  std::size_t n_;
  std::unique_ptr<double[]> values_;
};

}  // namespace coppice::internal
