// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows put together by the cluster that they are near to: a box around a few of them is small, so that most clusters
// are out of the question for all of them at once.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice::internal {

class NearRows {
 public:
  // At most a panel of rows near one cluster (-1: near none).
  struct Group {
    std::span<const std::size_t> rows;
    std::int32_t cluster = -1;
  };

  // Rows first, first + 1, ..., of which near[i] is the cluster of row first + i: from -1 up to below k.
  NearRows(std::size_t first, std::span<const std::int32_t> near, std::size_t k);

  [[nodiscard]] std::size_t size() const noexcept { return starts_.size(); }
  [[nodiscard]] Group operator[](std::size_t group) const noexcept;

 private:
  struct Start {
    std::size_t place;
    std::int32_t cluster;
  };

  std::vector<std::size_t> rows_;  // cluster by cluster, each in their order
  std::vector<Start> starts_;
};

}  // namespace coppice::internal
