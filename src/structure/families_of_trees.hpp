// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "coppice/data/rows.hpp"

namespace coppice::internal {

// Those of the families whose clusters of single rows, with which agglomeration begins, fit into memory. LimitError if
// the only one does not.
[[nodiscard]] std::vector<std::string> families_that_fit(std::vector<std::string> families, const Rows& rows);

}  // namespace coppice::internal
