// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The widest direction of a cluster from its members, for families whose statistics do not tell it: power iteration on
// the centred rows ([L] appendix D.3), without a matrix of columns by columns.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/assign/portion.hpp"
#include "coppice/assign/subset.hpp"
#include "coppice/family/components.hpp"

namespace coppice::internal {

// Where a cluster's members lie, each row divided by its total where the family compares shares.
struct MemberAxis {
  std::vector<double> mean;
  SplitAxis axis;  // all zeros if the members are all alike
};

// From the members of lowest content hash, at most 2048 different ones; neither their order nor copies against weights
// make a difference. `members`: units, in a tree their places. Columns are divided by `lengths`, if some are given.
[[nodiscard]] MemberAxis principal_axis(const Units& units, const Components& components,
                                        std::span<const std::size_t> members, std::span<const double> lengths = {});
// The same for what a component has of units.
[[nodiscard]] MemberAxis principal_axis(const Units& units, const Components& components, const Portion& members,
                                        std::span<const double> lengths);

}  // namespace coppice::internal
