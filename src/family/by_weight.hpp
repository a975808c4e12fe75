// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A function of a cluster's weight, remembered for whole weights: rows mostly weigh 1, and log gamma is slow. Other
// weights are computed when asked for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "coppice/family/stats.hpp"

namespace coppice {

class ByWeight {
 public:
  // For weights up to that of all clusters together.
  ByWeight(const StatsArena& stats, std::function<double(double)> function) : function_(std::move(function)) {
    constexpr double most = 65'536.0;
    double total = 0.0;
    for (std::size_t c = 0; c < stats.size(); ++c) total += stats.weight(c);
    known_.resize(static_cast<std::size_t>(std::min(total, most)) + 1);
    for (std::size_t n = 0; n < known_.size(); ++n) known_[n] = function_(static_cast<double>(n));
  }

  [[nodiscard]] double operator()(double weight) const {
    if (!(weight >= 0.0 && weight < static_cast<double>(known_.size()))) return function_(weight);
    const auto whole = static_cast<std::int32_t>(weight);  // the quickest of all conversions
    return static_cast<double>(whole) == weight ? known_[static_cast<std::size_t>(whole)] : function_(weight);
  }

 private:
  std::function<double(double)> function_;
  std::vector<double> known_;
};

}  // namespace coppice
