// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/stats.hpp"

#include <algorithm>

namespace coppice {

void StatsArena::assign(std::size_t i, ConstStatsRef stats) { std::ranges::copy(stats, (*this)[i].begin()); }

void StatsArena::erase(std::size_t i) {
  const auto first = values_.begin() + static_cast<std::ptrdiff_t>(i * stats_size_);
  values_.erase(first, first + static_cast<std::ptrdiff_t>(stats_size_));
}

std::vector<double> StatsArena::weights() const {
  std::vector<double> weights(size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight(i);
  return weights;
}

}  // namespace coppice
