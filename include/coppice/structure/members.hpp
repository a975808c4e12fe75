// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The units of every cluster, in their order: one list per cluster, all in one array.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

class Members {
 public:
  Members(std::span<const std::int32_t> labels, std::size_t k);
  [[nodiscard]] std::span<const std::size_t> of(std::size_t cluster) const noexcept {
    return std::span(units_).subspan(begin_[cluster], begin_[cluster + 1] - begin_[cluster]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> units_;
};

}  // namespace coppice
