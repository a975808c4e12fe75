// SPDX-License-Identifier: BSD-3-Clause
// One pass finds everything that seeding rules ask of the rows. Whatever is added up over rows is added as whole
// numbers; counts, minima and maxima are exact anyway.

#include "seeding/seeding_table.hpp"

#include <algorithm>
#include <limits>

#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "seeding/whole_mass.hpp"

namespace coppice::internal {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Squares of numbers up to 2^256 stay far from the ends of the range of doubles.
constexpr int comfortable_exponent = 256;

}  // namespace

// One thread's findings. Counts, minima and maxima come out the same in any order.
struct SeedingTable::Found {
  explicit Found(std::size_t n_columns) : point(n_columns), low(n_columns, infinity), high(n_columns, -infinity) {}

  std::vector<double> point;
  std::vector<double> low;
  std::vector<double> high;
  std::size_t n_present = 0;
  double largest_weight = 0.0;
};

SeedingTable::SeedingTable(const Execution& execution, const ScaledRows& rows)
    : rows_(rows.rows),
      factors_(rows.factors.begin(), rows.factors.end()),
      buckets_(rows_.size()),
      low_(rows_.n_columns(), infinity),
      high_(rows_.n_columns(), -infinity) {
  look_at_rows(execution);
}

void SeedingTable::look_at_rows(const Execution& execution) {
  const Blocks blocks{.n_items = rows_.size()};
  std::vector<Found> of_worker(execution.n_threads(), Found(rows_.n_columns()));
  for_each_block(execution, blocks,
                 [&](const BlockRange& block) { look_at_block(block.first, block.last, of_worker[block.worker]); });
  double largest_weight = 0.0;
  for (const Found& found : of_worker) {
    n_present_ += found.n_present;
    largest_weight = std::max(largest_weight, found.largest_weight);
    for (std::size_t c = 0; c < low_.size(); ++c) {
      low_[c] = std::min(low_[c], found.low[c]);
      high_[c] = std::max(high_[c], found.high[c]);
    }
  }
  if (n_present_ == 0) return;
  choose_scale();
  add_weights(execution, largest_weight);
}

void SeedingTable::look_at_block(std::size_t first, std::size_t last, Found& found) {
  for (std::size_t row = first; row < last; ++row) {
    buckets_[row] = static_cast<std::uint16_t>(row_hash(rows_.data(), row) >> 48U);
    if (!is_present(row)) continue;
    ++found.n_present;
    found.largest_weight = std::max(found.largest_weight, rows_.weight(row));
    copy_point(row, found.point);
    for (std::size_t c = 0; c < found.point.size(); ++c) {
      found.low[c] = std::min(found.low[c], found.point[c]);
      found.high[c] = std::max(found.high[c], found.point[c]);
    }
  }
}

void SeedingTable::choose_scale() noexcept {
  double widest = 0.0;
  // Halves, since the difference itself may overflow.
  for (std::size_t c = 0; c < low_.size(); ++c) widest = std::max(widest, 0.5 * high_[c] - 0.5 * low_[c]);
  int exponent = 0;
  (void)std::frexp(widest, &exponent);
  if (std::abs(exponent) <= comfortable_exponent) return;
  scale_ = std::ldexp(1.0, std::min(-exponent, 1023));
  for (double& value : low_) value *= scale_;
  for (double& value : high_) value *= scale_;
}

void SeedingTable::add_weights(const Execution& execution, double largest_weight) {
  total_weight_ = static_cast<double>(n_present_);
  if (!rows_.are_weighted()) return;
  int exponent = 0;
  (void)std::frexp(total_weight_ * largest_weight, &exponent);
  // Weights to a unit such that all of them add up to less than 2^63.
  const double unit = std::ldexp(1.0, exponent - 62);
  const Blocks blocks{.n_items = rows_.size()};
  std::vector<std::int64_t> of_worker(execution.n_threads(), 0);
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    std::int64_t sum = 0;
    for (std::size_t row = block.first; row < block.last; ++row) {
      sum += std::llround(rows_.weight(row) / unit);
    }
    of_worker[block.worker] += sum;
  });
  std::int64_t total = 0;
  for (const std::int64_t sum : of_worker) total += sum;
  total_weight_ = static_cast<double>(total) * unit;
}

bool SeedingTable::is_before(std::size_t a, std::size_t b) const {
  if (buckets_[a] != buckets_[b]) return buckets_[a] < buckets_[b];
  if (content_less(rows_.data(), a, b)) return true;
  // Copies by row number: only which of equal rows comes first hangs on the file.
  return a < b && !content_less(rows_.data(), b, a);
}

void SeedingTable::copy_point(std::size_t row, std::span<double> out) const noexcept {
  rows_.copy_row(row, out);
  for (std::size_t c = 0; are_scaled() && c < out.size(); ++c) out[c] *= factor(c);
}

double SeedingTable::squared_diagonal() const noexcept {
  double sum = 0.0;
  for (std::size_t c = 0; c < low_.size(); ++c) sum += (high_[c] - low_[c]) * (high_[c] - low_[c]);
  return sum;
}

}  // namespace coppice::internal
