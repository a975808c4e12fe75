// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/structure/hierarchy.hpp"

namespace coppice::internal {

// A tree over some rows as one over all: each of the others, which weigh nothing, first of all joins the first of those
// rows that has its label, at height 0 and without changing the objective.
[[nodiscard]] Hierarchy with_weightless_leaves(const Hierarchy& heavy, std::span<const std::size_t> heavy_rows,
                                               std::span<const std::int32_t> labels);

}  // namespace coppice::internal
