// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far clusters lie from one another, as the rows tell that look at both ([T] Eq. 8): the mean distance of a
// cluster's rows from another centre, over those rows that were compared with it. Costs no distance that is not there
// already, and grows with the rows, not with pairs of clusters.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/neighbourhoods.hpp"
#include "coppice/runtime/execution.hpp"

namespace coppice::internal {

// Rows of the cluster `of`, of which some saw the centre of `to`.
struct SeenDistance {
  std::uint32_t of = 0;
  std::uint32_t to = 0;
  double weight = 0.0;
  double sum = 0.0;
};

struct EstimatedDistance {
  std::uint32_t to = 0;
  double distance = 0.0;
};

class DistanceEstimates {
 public:
  // Of blocks of rows, in a fixed order.
  DistanceEstimates(const Execution& execution, std::span<const std::vector<SeenDistance>> by_block,
                    std::size_t n_clusters);

  // In increasing order of `to`; nothing of a cluster without rows. A cluster lies at 0 from itself.
  [[nodiscard]] std::span<const EstimatedDistance> of(std::size_t cluster) const noexcept {
    return std::span(estimates_).subspan(begin_[cluster], n_[cluster]);
  }
  // The nearest for each cluster, fewer where fewer were seen; those of clusters without rows stay.
  void update(const Execution& execution, Neighbourhoods& neighbourhoods) const;

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> n_;
  std::vector<EstimatedDistance> estimates_;
};

}  // namespace coppice::internal
