// SPDX-License-Identifier: BSD-3-Clause
// Running sums of whole numbers in content order: the draw is the same for shuffled rows, and exact whatever the number
// of threads. Of a row's mass, 1 is for its weight and ratio d^2 for its distance; both halves add up to the same.

#include "seeding/afk_proposal.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

AfkProposal::AfkProposal(const Execution& execution, const SeedingTable& table, ContentOrder order, std::size_t first)
    : table_(table), order_(std::move(order)), distances_(table), first_point_(table.rows().n_columns()) {
  table.copy_point(first, first_point_);
  find_ratio(execution);
  fill_sums(execution);
}

namespace {

// Visits every row in content order with its squared distance from a point: visit(worker, first position, squared).
template <class Visit>
void for_each_in_order(const Execution& execution, const PointDistances& distances, const ContentOrder& order,
                       std::span<const double> point, const Visit& visit) {
  const Blocks blocks{.n_items = order.rows().size()};
  std::vector<PointDistances::Workspace> work(execution.n_threads(), PointDistances::Workspace(distances));
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    const std::size_t last = block.last;
    for (std::size_t first = block.first; first < last; first += kernels::panel_rows) {
      const std::size_t n_rows = std::min(kernels::panel_rows, last - first);
      distances.of_rows(order.rows().subspan(first, n_rows), point, work[block.worker]);
      visit(block.worker, first, std::span<const double>(work[block.worker].squared).first(n_rows));
    }
  });
}

}  // namespace

// Distances are computed twice rather than kept, which would take another 8 bytes per row.
void AfkProposal::find_ratio(const Execution& execution) {
  struct Found {
    std::int64_t sum = 0;
    double largest = 0.0;
  };
  const WholeMass unit = WholeMass::make(table_.total_weight(), table_.squared_diagonal());
  std::vector<Found> of_worker(execution.n_threads());
  const auto add = [&](std::size_t worker, std::size_t first, std::span<const double> squared) {
    Found& found = of_worker[worker];
    for (std::size_t i = 0; i < squared.size(); ++i) {
      found.sum += unit(squared[i], table_.rows().weight(order_.rows()[first + i]));
      found.largest = std::max(found.largest, squared[i]);
    }
  };
  for_each_in_order(execution, distances_, order_, first_point_, add);
  std::int64_t sum = 0;
  for (const Found& found : of_worker) {
    sum += found.sum;
    largest_ = std::max(largest_, found.largest);
  }
  // All rows are where the first one is: what is left is the uniform half.
  if (sum == 0) return;
  ratio_ = table_.total_weight() * unit.per_weight * unit.per_value / static_cast<double>(sum);
}

void AfkProposal::fill_sums(const Execution& execution) {
  unit_ = WholeMass::make(table_.total_weight(), density(largest_));
  sums_.resize(order_.rows().size());
  const auto write = [&](std::size_t /*worker*/, std::size_t first, std::span<const double> squared) {
    for (std::size_t i = 0; i < squared.size(); ++i) {
      sums_[first + i] = unit_(density(squared[i]), table_.rows().weight(order_.rows()[first + i]));
    }
  };
  for_each_in_order(execution, distances_, order_, first_point_, write);
  std::partial_sum(sums_.begin(), sums_.end(), sums_.begin());
}

std::size_t AfkProposal::draw(RandomStream& random) const {
  const auto target = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(sums_.back())));
  return order_.rows()[static_cast<std::size_t>(std::ranges::upper_bound(sums_, target) - sums_.begin())];
}

double AfkProposal::probability(double squared, double weight) const noexcept {
  return static_cast<double>(unit_(density(squared), weight)) / static_cast<double>(sums_.back());
}

std::size_t draw_by_weight(const SeedingTable& table, const ContentOrder& order, RandomStream& random) {
  const WholeMass unit = WholeMass::make(table.total_weight(), 1.0);
  const auto mass = [&](std::size_t row) { return unit(1.0, table.rows().weight(row)); };
  std::int64_t total = 0;
  for (const std::size_t row : order.rows()) total += mass(row);
  auto target = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(total)));
  std::size_t position = 0;
  while (target >= mass(order.rows()[position])) target -= mass(order.rows()[position++]);
  return order.rows()[position];
}

}  // namespace coppice::internal
