// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For every cluster a few clusters around it, itself among them (G_c of [T]), in increasing order: where rows that
// belong to it look for a nearer one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/runtime/execution.hpp"

namespace coppice::internal {

class Neighbourhoods {
 public:
  Neighbourhoods() = default;
  Neighbourhoods(std::size_t n_clusters, std::size_t most)
      : most_(most), sizes_(n_clusters, 0), clusters_(n_clusters * most) {}

  [[nodiscard]] std::size_t size() const noexcept { return sizes_.size(); }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t cluster) const noexcept {
    return {&clusters_[cluster * most_], sizes_[cluster]};
  }
  // At most so many, in increasing order.
  void set(std::size_t cluster, std::span<const std::uint32_t> neighbours);
  bool operator==(const Neighbourhoods&) const = default;

 private:
  std::size_t most_ = 0;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> clusters_;
};

// Drawn.
[[nodiscard]] Neighbourhoods random_neighbourhoods(std::size_t n_clusters, std::size_t most, std::uint64_t seed);

// The nearest centres (one after the other), by all distances between them ([T] Algorithm 1).
[[nodiscard]] Neighbourhoods nearest_neighbourhoods(const Execution& execution, std::span<const double> centres,
                                                    std::size_t n_columns, std::size_t most);

}  // namespace coppice::internal
