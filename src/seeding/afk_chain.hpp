// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The chains of AFK-MC2. Proposals do not depend on the state, so a chain's are drawn first and their distances from
// all centres computed together.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/seeding/afk_mc2.hpp"
#include "seeding/afk_proposal.hpp"

namespace coppice::internal {

class AfkChain {
 public:
  AfkChain(const SeedingTable& table, const AfkProposal& proposal)
      : table_(table), proposal_(proposal), distances_(table) {}

  struct End {
    std::size_t row = 0;
    double squared = 0.0;  // from the nearest centre
  };

  // Runs one chain. `centres` are points, one after the other, the first centre in front.
  [[nodiscard]] End run(const Execution& execution, std::span<const double> centres, std::size_t length,
                        RandomStream& random) const;

 private:
  [[nodiscard]] std::vector<ChainState> states_of(const Execution& execution, std::span<const std::size_t> rows,
                                                  std::span<const double> centres) const;

  const SeedingTable& table_;
  const AfkProposal& proposal_;
  PointDistances distances_;
};

}  // namespace coppice::internal
