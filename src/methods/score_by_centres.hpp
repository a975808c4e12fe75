// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The sum of squared distances of a labelling, for methods whose clusters are centres.

#include <cstdint>
#include <span>
#include <string_view>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice::internal {

[[nodiscard]] double score_by_centres(const Dataset& data, std::span<const std::int32_t> labels,
                                      std::string_view method, const RunOptions& run);

}  // namespace coppice::internal
