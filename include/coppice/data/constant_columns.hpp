// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

// Columns of dense rows that hold the same value in every row that weighs something, if those are two or more.
[[nodiscard]] std::vector<std::size_t> constant_columns(const Dataset& data);

// All others. Those that models are counted by: a constant column gives every model of it the same number to say.
[[nodiscard]] std::size_t n_varying_columns(const Dataset& data);

}  // namespace coppice::internal
