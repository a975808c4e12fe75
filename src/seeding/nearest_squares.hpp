// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Every row's squared distance from the nearest of the points taken so far: 8 bytes per row, one pass per point.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "seeding/point_distances.hpp"

namespace coppice::internal {

class NearestSquares {
 public:
  explicit NearestSquares(const SeedingTable& table);

  // Sees every row once per pass, at most 256 at a time, while their distances are at hand.
  using Visit = std::function<void(std::size_t worker, std::size_t first, std::span<const double> squared)>;

  // Takes another point. Returns the largest squared distance that is left.
  double lower(const Execution& execution, std::span<const double> point, const Visit& visit);
  // Shows the distances as they are.
  void show(const Execution& execution, const Visit& visit) const;
  // Forgets the points.
  void forget() noexcept { has_point_ = false; }

  // Rows without weight are at -1, everybody else at 1 before the first point is taken.
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  [[nodiscard]] double operator[](std::size_t row) const noexcept { return values_[row]; }

 private:
  PointDistances distances_;
  std::vector<double> values_;
  bool has_point_ = false;
};

}  // namespace coppice::internal
