// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// AFK-MC2's proposal as a table of running sums in content order: 16 bytes per row, a draw is a binary search.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "seeding/content_order.hpp"
#include "seeding/point_distances.hpp"
#include "seeding/whole_mass.hpp"

namespace coppice::internal {

class AfkProposal {
 public:
  AfkProposal(const Execution& execution, const SeedingTable& table, ContentOrder order, std::size_t first);

  [[nodiscard]] std::size_t draw(RandomStream& random) const;
  // Of a row with this squared distance from the first centre: up to a factor, without its weight.
  [[nodiscard]] double density(double squared) const noexcept { return 1.0 + ratio_ * squared; }
  [[nodiscard]] double probability(double squared, double weight) const noexcept;
  [[nodiscard]] const std::vector<double>& first_point() const noexcept { return first_point_; }

 private:
  void find_ratio(const Execution& execution);
  void fill_sums(const Execution& execution);

  const SeedingTable& table_;
  ContentOrder order_;
  PointDistances distances_;
  std::vector<double> first_point_;
  double ratio_ = 0.0;    // n / sum d^2, or 0 if all rows are equal
  double largest_ = 0.0;  // squared distance from the first centre
  WholeMass unit_;
  std::vector<std::int64_t> sums_;  // up to and including each position of the order
};

// A row drawn by weight.
[[nodiscard]] std::size_t draw_by_weight(const SeedingTable& table, const ContentOrder& order, RandomStream& random);

}  // namespace coppice::internal
