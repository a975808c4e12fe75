// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The D^2 law: a row is drawn with probability proportional to its weight times its squared distance from the nearest
// centre; before there is a centre, to its weight. Masses are whole numbers, summed in buckets of the row's hash, so
// that a draw depends on the rows' contents alone (row_draw.hpp). There are 65,536 buckets; a pass over all rows sums
// only their 256 groups, a table that stays in the nearest cache, and a draw sums the buckets inside its group.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "seeding/nearest_squares.hpp"
#include "seeding/whole_mass.hpp"

namespace coppice::internal {

class SquaredMasses {
 public:
  SquaredMasses(const Execution& execution, const SeedingTable& table);

  // One pass over the rows. The point is given as SeedingTable::copy_point() does.
  void add_centre(const Execution& execution, std::span<const double> point);

  [[nodiscard]] std::int64_t total() const noexcept { return total_; }  // 0: nobody is away from a centre
  [[nodiscard]] std::int64_t mass(std::size_t row) const noexcept {
    return unit_(squares_[row], table_.rows().weight(row));
  }

  // n independent draws; the total must not be 0.
  [[nodiscard]] std::vector<std::size_t> draw(const Execution& execution, std::size_t n, RandomStream& random) const;

  // For each point, the total that would be left with it as a further centre, all in the same unit.
  [[nodiscard]] std::vector<std::int64_t> potentials(const Execution& execution, std::span<const double> points) const;

 private:
  static constexpr std::size_t n_groups = 256;
  using Groups = std::array<std::int64_t, n_groups>;

  [[nodiscard]] std::size_t group(std::size_t row) const noexcept { return table_.bucket(row) / n_groups; }
  void add_to_groups(std::size_t first, std::span<const double> squared, Groups& groups) const noexcept;
  void take_groups(std::span<const Groups> of_worker) noexcept;
  void sum_again(const Execution& execution, double largest);
  [[nodiscard]] std::int64_t potential_of_run(std::size_t first, std::size_t n_rows, const double* squared) const;
  [[nodiscard]] std::vector<std::vector<std::size_t>> rows_of_groups(const Execution& execution,
                                                                     std::span<const std::size_t> wanted) const;
  [[nodiscard]] std::size_t pick_in_group(std::span<const std::size_t> rows, std::int64_t target) const;

  const SeedingTable& table_;
  NearestSquares squares_;
  PointDistances distances_;
  WholeMass unit_;
  double largest_;  // no squared distance is larger
  Groups groups_{};
  std::int64_t total_ = 0;
};

}  // namespace coppice::internal
