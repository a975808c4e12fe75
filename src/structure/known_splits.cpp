// SPDX-License-Identifier: BSD-3-Clause
#include "structure/known_splits.hpp"

#include <algorithm>
#include <utility>

namespace coppice::internal {

void KnownSplits::see(const Units& units, const State& state) {
  std::vector<bool> has_tried(state.k(), false);
  std::vector<std::optional<Split>> best(state.k());
  if (labels_.size() > 0) {
    const std::vector<std::int32_t> before = same_clusters(units, labels_, best_.size(), state.labels, state.k());
    for (std::size_t c = 0; c < state.k(); ++c) {
      if (before[c] < 0) continue;
      const auto was = static_cast<std::size_t>(before[c]);
      has_tried[c] = has_tried_[was];
      best[c] = std::move(best_[was]);
      if (best[c]) best[c]->cluster = c;
    }
  }
  labels_ = state.labels;
  has_tried_ = std::move(has_tried);
  best_ = std::move(best);
}

void KnownSplits::learn(std::span<const std::size_t> tried, std::vector<Split> found) {
  for (const std::size_t cluster : tried) has_tried_[cluster] = true;
  for (Split& split : found) best_[split.cluster] = std::move(split);
}

std::vector<Split> KnownSplits::all() const {
  std::vector<Split> splits;
  for (const std::optional<Split>& split : best_) {
    if (split) splits.push_back(*split);
  }
  std::ranges::stable_sort(splits, {}, &Split::pair_gain);
  return splits;
}

}  // namespace coppice::internal
