// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One component of a variational mixture cut in two ([V] section 7, step 2): by the plane through its mean across its
// principal axis, and then by partial updates, which share out between the halves what the component has of every unit
// and leave all others as they are. So the change of the free energy is that of the whole.

#include <cstdint>
#include <optional>

#include "coppice/infer/shared_rows.hpp"

namespace coppice::internal {

struct ReleaseTrial {
  std::size_t component = 0;
  StatsArena halves;
  double change = 0.0;  // of the free energy
  std::uint64_t distances = 0;
};

// What shares are left out of shared_rows() for trials; what that changes is the same for one component and for two.
inline constexpr double least_share_in_trials = 1e-3;

// Nothing if the component cannot be cut.
[[nodiscard]] std::optional<ReleaseTrial> try_release(const Execution& execution, const Problem& problem,
                                                      const StatsArena& mixture, std::size_t component,
                                                      const SharedRows& has);

}  // namespace coppice::internal
