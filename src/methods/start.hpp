// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/methods/describe.hpp"
#include "coppice/seeding/seed_rows.hpp"

namespace coppice {

// Labels to start from: given as they are (one whole number per row), or as centres (one row each) whose nearest rows
// they get. OptionError if the table is neither.
[[nodiscard]] std::vector<std::int32_t> start_labels(const Table& init, const Rows& rows);

// Whether the table holds centres; OptionError if it holds neither centres nor labels.
[[nodiscard]] bool is_centres(const Table& init, const Rows& rows);
// Those centres less the origin, one after the other.
[[nodiscard]] std::vector<double> start_centres(const Table& init, const Rows& rows);

// By the words kmeans++, afk-mc2, uniform, farthest.
[[nodiscard]] SeedingRule seeding_rule(std::string_view name);

}  // namespace coppice
