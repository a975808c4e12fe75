// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nearest-neighbour chain: from any cluster to its nearest one, on to that one's nearest, until two are each
// other's nearest; those are joined. It finds the merges of the greedy rule, in another order, if joining two clusters
// never brings them closer to a third than the closer of both was (complete, average, ward).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "structure/linkages.hpp"

namespace coppice::internal {

struct NearestCluster {
  std::uint32_t cluster = 0;
  double distance = 0.0;
};

// Clusters that can tell their nearest one; a cluster is known by its smallest leaf. Distances are symmetric to the
// last bit.
class ChainClusters {
 public:
  virtual ~ChainClusters() = default;
  static constexpr std::uint32_t none = UINT32_MAX;

  // `preferred` (or none) unless another one is nearer; of several the first. NumericError if distances exceed double
  // precision.
  [[nodiscard]] virtual NearestCluster nearest(std::uint32_t cluster, std::uint32_t preferred) = 0;
  // Cluster b becomes part of a; a < b.
  virtual void join(std::uint32_t a, std::uint32_t b) = 0;
  [[nodiscard]] virtual std::uint64_t distances() const noexcept = 0;
};

// The merges of n clusters; none is lower than those it rests on.
[[nodiscard]] std::vector<JoinedPair> chain_merges(const StopSignal& stop, std::size_t n, ChainClusters& clusters,
                                                   const PairObserver& observer);

// Says what to do about distances that double precision cannot hold.
[[noreturn]] void refuse_distances();

}  // namespace coppice::internal
