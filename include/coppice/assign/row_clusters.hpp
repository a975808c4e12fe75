// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The few clusters that each row may belong to (K_n of [T]), in increasing order, with the squared distances of their
// centres.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/runtime/random.hpp"

namespace coppice::internal {

class RowClusters {
 public:
  RowClusters() = default;
  RowClusters(std::size_t n_rows, std::size_t n_each)
      : n_each_(n_each), clusters_(n_rows * n_each), squared_(n_rows * n_each) {}

  [[nodiscard]] std::size_t n_rows() const noexcept { return n_each_ == 0 ? 0 : clusters_.size() / n_each_; }
  [[nodiscard]] std::size_t n_each() const noexcept { return n_each_; }
  [[nodiscard]] std::span<std::uint32_t> of(std::size_t row) noexcept { return {&clusters_[row * n_each_], n_each_}; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t row) const noexcept {
    return {&clusters_[row * n_each_], n_each_};
  }
  [[nodiscard]] std::span<double> squared(std::size_t row) noexcept { return {&squared_[row * n_each_], n_each_}; }
  [[nodiscard]] std::span<const double> squared(std::size_t row) const noexcept {
    return {&squared_[row * n_each_], n_each_};
  }
  // Row by row.
  [[nodiscard]] std::span<const std::uint32_t> all() const noexcept { return clusters_; }
  // The nearest; of several, that of the smallest number.
  [[nodiscard]] std::uint32_t nearest(std::size_t row) const noexcept;
  [[nodiscard]] double least(std::size_t row) const noexcept;

 private:
  [[nodiscard]] std::size_t place_of_nearest(std::size_t row) const noexcept;

  std::size_t n_each_ = 0;
  std::vector<std::uint32_t> clusters_;
  std::vector<double> squared_;
};

// Different clusters for each row, drawn; no distances.
[[nodiscard]] RowClusters random_clusters(std::size_t n_rows, std::size_t n_each, std::size_t n_clusters,
                                          std::uint64_t seed);

}  // namespace coppice::internal
