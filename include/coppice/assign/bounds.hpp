// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nearest centre by the triangle inequality: a row whose centre cannot have been overtaken, given how far all
// centres moved since distances were last computed, keeps its label without a single distance (Hamerly 2010). Centres
// are taken in groups, each with a lower bound of its own (Ding et al. 2015), so that many centres need not be looked
// at because one of them moved far; up to 32 centres form a single group. What is left is computed in blocks, as
// without bounds, and the labels are the same.
//
// Needs 8 bytes per row, and 4 more per row and group: at most 64 groups.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coppice/assign/assigner.hpp"

namespace coppice::internal {

// When bounds are kept: from the first sweep on, or once fewer than one label in fifty changes in a sweep (before
// that, centres move so far that most bounds are broken at once) and a sample of rows shows that they would have saved
// half the distances, and then only as long as they do.
enum class BoundsStart : std::uint8_t { at_once, late };

// For clusters that are centres (Components::centres) and have no offsets. `why_rows` is the report of a fit in which
// late bounds never came to be used. Keep the rows while this is in use.
[[nodiscard]] std::unique_ptr<Assigner> make_bounds(const Rows& rows, BoundsStart start, std::string why_rows);

// Centres (one after the other) cut into groups of neighbours: for every centre its group, numbered from 0.
[[nodiscard]] std::vector<std::size_t> group_centres(std::span<const double> centres, std::size_t n_columns,
                                                     std::size_t n_groups);

}  // namespace coppice::internal
