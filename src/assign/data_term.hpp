// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

// Sums of costs follow from the statistics that the labels leave behind.
inline void set_data_term(const Components& components, std::span<const double> offsets, Assignment& result) {
  for (std::size_t c = 0; c < components.size(); ++c) {
    const double weight = result.stats.weight(c);
    if (weight > 0.0) result.data_term += components.node_cost(c, result.stats[c]) + weight * offsets[c];
  }
}

}  // namespace coppice::internal
