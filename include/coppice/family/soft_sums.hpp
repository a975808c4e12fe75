// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows that many clusters share: every cluster takes its part of a panel into its statistics. Components::add_members()
// does that for one cluster after the other; where a family can take the panel once for all clusters, this does.

#include <cstddef>
#include <memory>
#include <span>

#include "coppice/family/components.hpp"

namespace coppice::internal {

// A cluster's part of a panel: one share per row, with zeros behind the last row up to the next multiple of 16.
struct PanelPart {
  std::size_t cluster;  // of the components, where they have clusters
  StatsRef into;
  const double* shares;
  double weight = 0.0;  // the shares, summed up
};

class SoftSums {
 public:
  SoftSums() = default;
  SoftSums(const SoftSums&) = delete;
  SoftSums& operator=(const SoftSums&) = delete;
  virtual ~SoftSums() = default;

  virtual void add(RowBlock& rows, std::span<const PanelPart> parts) const = 0;
};

// Keep the components while it is in use; threads may share it.
[[nodiscard]] std::unique_ptr<SoftSums> make_soft_sums(const Components& components);

}  // namespace coppice::internal
