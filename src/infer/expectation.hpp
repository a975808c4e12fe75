// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One pass over all units in which every cluster takes its share of every unit: the expectation step of EM, which
// leaves behind what the maximization step needs.

#include <cstdint>
#include <span>

#include "coppice/assign/units.hpp"
#include "coppice/family/components.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

struct Expectation {
  StatsArena stats;             // of every cluster, units counted with its shares in them; a cluster may be empty
  double log_likelihood = 0.0;  // of the clusters that the shares come from
  std::uint64_t distances = 0;
};

// Densities are those of log_predictive, which for point-estimated families is minus the cost; `log_weights` are the
// logarithms of the clusters' weights in the mixture. The leaves of a tree count as units if they are tied, as their
// rows otherwise. The bits of the result do not depend on the number of threads.
[[nodiscard]] Expectation expectation(const Execution& execution, const Units& units, const Components& clusters,
                                      std::span<const double> log_weights);

}  // namespace coppice
