// SPDX-License-Identifier: BSD-3-Clause
#include "seeding/squared_masses.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "coppice/kernels/running_minima.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "seeding/content_sort.hpp"

namespace coppice::internal {

SquaredMasses::SquaredMasses(const Execution& execution, const SeedingTable& table)
    : table_(table), squares_(table), distances_(table), largest_(table.squared_diagonal()) {
  // Before there is a centre everybody is at distance 1: masses are weights.
  sum_again(execution, 1.0);
}

void SquaredMasses::add_centre(const Execution& execution, std::span<const double> point) {
  // The unit must be known before the pass, so it is that of the largest distance until now ...
  unit_ = WholeMass::make(table_.total_weight(), largest_);
  std::vector<Groups> of_worker(execution.n_threads(), Groups{});
  const double largest =
      squares_.lower(execution, point, [&](std::size_t worker, std::size_t first, std::span<const double> squared) {
        add_to_groups(first, squared, of_worker[worker]);
      });
  take_groups(of_worker);
  // ... and if it proves too coarse, the masses are summed once more.
  constexpr double too_coarse = 0x1p-8;
  if (largest < too_coarse * largest_) sum_again(execution, largest);
  largest_ = largest;
}

void SquaredMasses::sum_again(const Execution& execution, double largest) {
  unit_ = WholeMass::make(table_.total_weight(), largest);
  std::vector<Groups> of_worker(execution.n_threads(), Groups{});
  squares_.show(execution, [&](std::size_t worker, std::size_t first, std::span<const double> squared) {
    add_to_groups(first, squared, of_worker[worker]);
  });
  take_groups(of_worker);
}

void SquaredMasses::add_to_groups(std::size_t first, std::span<const double> squared, Groups& groups) const noexcept {
  const WholeMass unit = unit_;  // a copy in registers
  if (table_.rows().are_weighted()) {
    const double* weights = table_.rows().data().weights().data() + first;
    for (std::size_t i = 0; i < squared.size(); ++i) groups[group(first + i)] += unit(squared[i], weights[i]);
  } else {
    for (std::size_t i = 0; i < squared.size(); ++i) {
      groups[group(first + i)] += kernels::rounded_up(squared[i] * unit.per_value);
    }
  }
}

void SquaredMasses::take_groups(std::span<const Groups> of_worker) noexcept {
  groups_.fill(0);
  for (const Groups& groups : of_worker) {
    for (std::size_t g = 0; g < n_groups; ++g) groups_[g] += groups[g];
  }
  // The weight of all, left out of the sums.
  const std::int64_t factor = table_.rows().are_weighted() ? 1 : static_cast<std::int64_t>(unit_.per_weight);
  for (std::int64_t& mass : groups_) mass *= factor;
  total_ = std::accumulate(groups_.begin(), groups_.end(), std::int64_t{0});
}

namespace {

// The item at which the running sum of masses passes the target, which is less the sum before it afterwards. Sums are
// exact: a target below the total always meets its item.
template <class Masses>
std::size_t pick(const Masses& masses, std::int64_t& target) {
  std::size_t i = 0;
  for (; target >= masses[i]; ++i) target -= masses[i];
  return i;
}

}  // namespace

std::vector<std::size_t> SquaredMasses::draw(const Execution& execution, std::size_t n, RandomStream& random) const {
  COPPICE_ASSERT(total_ > 0);
  std::vector<std::int64_t> targets(n);
  std::vector<std::size_t> groups(n);
  for (std::size_t i = 0; i < n; ++i) {
    targets[i] = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(total_)));
    groups[i] = pick(groups_, targets[i]);
  }
  const std::vector<std::vector<std::size_t>> rows = rows_of_groups(execution, groups);
  std::vector<std::size_t> drawn(n);
  for (std::size_t i = 0; i < n; ++i) drawn[i] = pick_in_group(rows[groups[i]], targets[i]);
  return drawn;
}

// The rows with mass of the groups that are wanted, by row number; one pass over the buckets for all of them.
std::vector<std::vector<std::size_t>> SquaredMasses::rows_of_groups(const Execution& execution,
                                                                    std::span<const std::size_t> wanted) const {
  std::array<bool, n_groups> is_wanted{};
  for (const std::size_t g : wanted) is_wanted[g] = true;
  const Blocks blocks{.n_items = table_.rows().size(), .items_per_block = 16 * rows_per_block};
  std::vector<std::vector<std::size_t>> of_block(blocks.count());
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      if (is_wanted[group(row)] && mass(row) > 0) of_block[block.number].push_back(row);
    }
  });
  std::vector<std::vector<std::size_t>> rows(n_groups);
  for (const auto& some : of_block) {
    for (const std::size_t row : some) rows[group(row)].push_back(row);
  }
  return rows;
}

std::size_t SquaredMasses::pick_in_group(std::span<const std::size_t> rows, std::int64_t target) const {
  Groups buckets{};  // of the group
  for (const std::size_t row : rows) buckets[table_.bucket(row) % n_groups] += mass(row);
  const std::size_t bucket = pick(buckets, target);
  // Only the rows of one bucket of 65,536 are put into content order.
  std::vector<std::size_t> inside;
  std::ranges::copy_if(rows, std::back_inserter(inside),
                       [&](std::size_t row) { return table_.bucket(row) % n_groups == bucket; });
  sort_by_content(table_.rows().data(), inside);
  for (const std::size_t row : inside) {
    if (target < mass(row)) return row;
    target -= mass(row);
  }
  COPPICE_ASSERT(false);
  return inside.back();
}

std::vector<std::int64_t> SquaredMasses::potentials(const Execution& execution, std::span<const double> points) const {
  const std::size_t n_points = points.size() / table_.rows().n_columns();
  const Blocks blocks{.n_items = table_.rows().size()};
  std::vector<PointDistances::Workspace> work(execution.n_threads(), PointDistances::Workspace(distances_, n_points));
  std::vector<std::vector<std::int64_t>> of_worker(work.size(), std::vector<std::int64_t>(n_points, 0));
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    const std::size_t last = block.last;
    for (std::size_t first = block.first; first < last; first += kernels::panel_rows) {
      const std::size_t n_rows = std::min(kernels::panel_rows, last - first);
      distances_.of_run(first, n_rows, points, work[block.worker]);
      for (std::size_t p = 0; p < n_points; ++p) {
        of_worker[block.worker][p] +=
            potential_of_run(first, n_rows, work[block.worker].squared.data() + p * kernels::panel_rows);
      }
    }
  });
  std::vector<std::int64_t> potentials(n_points, 0);
  for (const auto& some : of_worker) {
    for (std::size_t p = 0; p < n_points; ++p) potentials[p] += some[p];
  }
  return potentials;
}

// Rows without weights: the kernel's sum of at most 256 numbers of 41 bits is exact; the unit of a weight, the same for
// all, is left out.
std::int64_t SquaredMasses::potential_of_run(std::size_t first, std::size_t n_rows, const double* squared) const {
  const double* least = squares_.values().data() + first;
  if (!table_.rows().are_weighted()) {
    return static_cast<std::int64_t>(kernels::whole_sum_of_minima(least, squared, unit_.per_value, n_rows));
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    sum += unit_(std::min(least[i], squared[i]), table_.rows().weight(first + i));
  }
  return sum;
}

}  // namespace coppice::internal
