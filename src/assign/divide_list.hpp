// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

// divide() for parts of a list, or all units outside a tree.
[[nodiscard]] Assignment divide_list(const Execution& execution, const Subset& subset, const Components& components,
                                     const Plane& plane);

}  // namespace coppice::internal
