// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sufficient statistics are flat doubles, the same for rows, tree nodes, threads and checkpoints; they are combined
// only by a family's merge. All zeros means "nothing seen yet", and the first number is always the weight.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

using StatsRef = std::span<double>;
using ConstStatsRef = std::span<const double>;

// The statistics of several clusters (or nodes), one after the other.
class StatsArena {
 public:
  StatsArena() = default;
  StatsArena(std::size_t n, std::size_t stats_size) : stats_size_(stats_size), values_(n * stats_size, 0.0) {}
  StatsArena(std::vector<double> values, std::size_t stats_size)
      : stats_size_(stats_size), values_(std::move(values)) {}

  [[nodiscard]] std::size_t size() const noexcept { return stats_size_ == 0 ? 0 : values_.size() / stats_size_; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size_; }
  [[nodiscard]] StatsRef operator[](std::size_t i) noexcept { return {values_.data() + i * stats_size_, stats_size_}; }
  [[nodiscard]] ConstStatsRef operator[](std::size_t i) const noexcept {
    return {values_.data() + i * stats_size_, stats_size_};
  }
  [[nodiscard]] double weight(std::size_t i) const noexcept { return values_[i * stats_size_]; }
  [[nodiscard]] std::vector<double> weights() const;
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }

  void append(ConstStatsRef stats) { values_.insert(values_.end(), stats.begin(), stats.end()); }
  void assign(std::size_t i, ConstStatsRef stats);
  void erase(std::size_t i);
  bool operator==(const StatsArena&) const = default;

 private:
  std::size_t stats_size_ = 0;
  std::vector<double> values_;
};

// For every cluster of `now`, one of `before` whose statistics are the same to the last bit, or -1.
[[nodiscard]] std::vector<std::int32_t> same_statistics(const StatsArena& before, const StatsArena& now);

}  // namespace coppice
