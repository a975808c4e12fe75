// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "coppice/structure/split.hpp"

namespace coppice::internal {

// The best split of every cluster that was tried, as long as its members stay the same.
class KnownSplits {
 public:
  // What is known of the clusters of a new state; keeps its labels.
  void see(const Units& units, const State& state);
  // Clusters are those of the state seen last.
  [[nodiscard]] bool has_tried(std::size_t cluster) const { return has_tried_[cluster]; }
  void learn(std::span<const std::size_t> tried, std::vector<Split> found);
  // Of all clusters, the best first.
  [[nodiscard]] std::vector<Split> all() const;

 private:
  Labels labels_;
  std::vector<bool> has_tried_;
  std::vector<std::optional<Split>> best_;  // none: it cannot be split
};

}  // namespace coppice::internal
