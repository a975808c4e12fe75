// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Some of the units, and how much of each: what a component of a mixture has of them.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

// Units from the first to the last, and a mass for each, which takes the place of its weight.
struct Portion {
  std::span<const std::size_t> units;
  std::span<const double> masses;
};

// Its summaries (or nodes of a front), and its rows: by their numbers, in a front by their places in the tree.
struct PortionParts {
  PortionParts(const Units& units, const Portion& portion);
  PortionParts(const PortionParts&) = delete;
  PortionParts& operator=(const PortionParts&) = delete;

  Portion summaries;
  Portion rows;

 private:
  std::vector<std::size_t> places_;
};

// The table that rows of such units are in; a front's are those of its tree.
[[nodiscard]] inline const Rows& rows_behind(const Units& units) noexcept {
  return units.front() != nullptr ? units.front()->of.tree.rows() : units.rows();
}

// Parts it by a plane, summaries by their means; statistics of both sides.
[[nodiscard]] StatsArena divide(const Execution& execution, const Units& units, const Portion& portion,
                                const Components& components, const Plane& plane);

}  // namespace coppice::internal
