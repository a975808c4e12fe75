// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/stats.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

// Clusters mostly keep their numbers; the others are looked up by their weights.
std::vector<std::int32_t> same_statistics(const StatsArena& before, const StatsArena& now) {
  std::vector<std::int32_t> same(now.size(), -1);
  if (before.stats_size() != now.stats_size()) return same;
  const auto are_same = [&](std::size_t b, std::size_t c) {
    // Bit by bit: what is the same may be taken over without a trace.
    return std::memcmp(before[b].data(), now[c].data(), now.stats_size() * sizeof(double)) == 0;
  };
  std::vector<std::pair<double, std::size_t>> by_weight;
  for (std::size_t b = 0; b < before.size(); ++b) by_weight.emplace_back(before.weight(b), b);
  std::ranges::sort(by_weight);
  for (std::size_t c = 0; c < now.size(); ++c) {
    if (c < before.size() && are_same(c, c)) {
      same[c] = static_cast<std::int32_t>(c);
      continue;
    }
    auto place = std::ranges::lower_bound(by_weight, std::pair<double, std::size_t>(now.weight(c), 0));
    for (; place != by_weight.end() && place->first == now.weight(c); ++place) {
      if (are_same(place->second, c)) same[c] = static_cast<std::int32_t>(place->second);
    }
  }
  return same;
}

}  // namespace coppice
