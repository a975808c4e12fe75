// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Trees as files.

#include <span>
#include <string>

#include "coppice/data/dendrogram.hpp"

namespace coppice::internal {

// SciPy's linkage matrix: float64 of shape (N - 1, 4).
[[nodiscard]] std::string linkage_npy(const Dendrogram& tree);

// One float64 before the first merge and one after every merge: N values.
[[nodiscard]] std::string objective_npy(std::span<const double> objective);

}  // namespace coppice::internal
