// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// New rows from the predictive density of clusters, one row of one cluster at a time. Components::row_sampler() makes
// one, if the family knows how.

#include <cstddef>
#include <span>

namespace coppice {

namespace internal {
class RandomStream;
}

class RowSampler {
 public:
  RowSampler() = default;
  RowSampler(const RowSampler&) = delete;
  RowSampler& operator=(const RowSampler&) = delete;
  virtual ~RowSampler() = default;

  // In the coordinates of the clusters: less the origin of the rows that they are made of. May be called from several
  // threads at once. Numbers far out in heavy tails may be infinite.
  virtual void draw(std::size_t cluster, internal::RandomStream& random, std::span<double> row) const = 0;
};

}  // namespace coppice
