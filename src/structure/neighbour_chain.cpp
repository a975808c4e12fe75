// SPDX-License-Identifier: BSD-3-Clause
// The chain is kept after a merge: its rest is still one, since joining two clusters brings neither closer to a third
// than the closer of them was (reducibility). So each cluster is looked for once per time it becomes the tip, about 3 n
// searches in all, O(n^2) distances. The gains of agglomeration lack that property, and need closest_pairs.hpp. Ties
// must not turn the chain in circles: the cluster before the tip is preferred, and distances are the same from both
// ends.

#include "structure/neighbour_chain.hpp"

#include <algorithm>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

class Chain {
 public:
  explicit Chain(std::size_t n) : is_in_chain_(n, 0) {}

  [[nodiscard]] bool empty() const noexcept { return clusters_.empty(); }
  [[nodiscard]] std::uint32_t tip() const noexcept { return clusters_.back(); }
  [[nodiscard]] std::uint32_t before_tip() const noexcept {
    return clusters_.size() < 2 ? ChainClusters::none : clusters_[clusters_.size() - 2];
  }
  // In exact arithmetic no cluster comes twice. A distance that was rounded down when clusters were joined may lead
  // back; then the chain goes on from there, where a nearer neighbour is known now.
  void go_to(std::uint32_t cluster) {
    if (is_in_chain_[cluster] != 0) {
      while (tip() != cluster) pop();
    } else {
      is_in_chain_[cluster] = 1;
      clusters_.push_back(cluster);
    }
  }
  void pop() {
    is_in_chain_[tip()] = 0;
    clusters_.pop_back();
  }

 private:
  std::vector<std::uint32_t> clusters_;
  std::vector<std::uint8_t> is_in_chain_;
};

}  // namespace

std::vector<JoinedPair> chain_merges(const StopSignal& stop, std::size_t n, ChainClusters& clusters,
                                     const PairObserver& observer) {
  std::vector<JoinedPair> merges;
  merges.reserve(n - 1);
  std::vector<double> height(n, 0.0);
  Chain chain(n);
  while (merges.size() + 1 < n) {
    throw_if_stopped(stop);
    if (chain.empty()) chain.go_to(0);  // leaf 0 names its cluster always
    const NearestCluster next = clusters.nearest(chain.tip(), chain.before_tip());
    if (next.cluster != chain.before_tip()) {
      chain.go_to(next.cluster);
      continue;
    }
    // A cluster goes by its smallest leaf.
    const auto [a, b] = std::minmax({chain.tip(), next.cluster});
    chain.pop();
    chain.pop();
    clusters.join(a, b);
    height[a] = std::max({next.distance, height[a], height[b]});  // rounding must not put a merge below its parts
    merges.push_back({a, b, height[a]});
    if (observer) observer(merges);
  }
  return merges;
}

void refuse_distances() {
  throw NumericError(
      "distances between rows are beyond the range of double precision; bring the columns to a smaller scale first");
}

}  // namespace coppice::internal
