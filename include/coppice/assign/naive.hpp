// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The plain assignment: every unit against every cluster. What all others must agree with.

#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/assign/units.hpp"
#include "coppice/family/components.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// Some of the units; empty `chosen` means all. Labels are given by position among them.
struct UnitSubset {
  const Units& units;
  std::span<const std::size_t> chosen = {};

  [[nodiscard]] std::size_t size() const noexcept { return chosen.empty() ? units.size() : chosen.size(); }
  [[nodiscard]] std::size_t unit(std::size_t position) const noexcept {
    return chosen.empty() ? position : chosen[position];
  }
};

struct Assignment {
  StatsArena stats;        // of every cluster under the new labels
  double data_term = 0.0;  // summed cost of the units at their labels
  std::size_t n_changed = 0;
};

// Gives every unit its cluster of least cost + offset. `present` and `labels` must not overlap, so that a stopped pass
// leaves the present labels whole.
[[nodiscard]] Assignment assign_naive(const Execution& execution, const UnitSubset& subset,
                                      const Components& components, std::span<const double> offsets,
                                      std::span<const std::int32_t> present, std::span<std::int32_t> labels);

// The statistics of k clusters under given labels (0..k-1).
[[nodiscard]] StatsArena statistics_of(const Execution& execution, const UnitSubset& subset,
                                       const Components& components, std::span<const std::int32_t> labels,
                                       std::size_t k);

}  // namespace coppice
