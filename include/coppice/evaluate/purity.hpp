// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The share of rows that carry the commonest true label of their cluster. Not symmetric, and 1 whenever every row
// is a cluster of its own: read it beside a score that is corrected for chance. No rows: 1.

#include <cstdint>
#include <span>

#include "coppice/evaluate/contingency.hpp"

namespace coppice::evaluate {

[[nodiscard]] double purity(const Contingency& table);
[[nodiscard]] double purity(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth);

}  // namespace coppice::evaluate
