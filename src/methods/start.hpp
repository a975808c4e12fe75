// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/methods/describe.hpp"
#include "coppice/seeding/seed_rows.hpp"

namespace coppice::internal {

// Labels to start from: given as they are (one whole number per row), or as centres (one row each) whose nearest rows
// they get. OptionError if the table is neither.
[[nodiscard]] std::vector<std::int32_t> start_labels(const Execution& execution, const Table& init, const Rows& rows);
// Every row with the nearest of some centres, given less the origin, by distances between rows times their factors.
[[nodiscard]] std::vector<std::int32_t> nearest_centres(const Execution& execution, const ScaledRows& scaled,
                                                        std::span<const double> centres);

// Whether the table holds centres; OptionError if it holds neither centres nor labels.
[[nodiscard]] bool is_centres(const Table& init, const Rows& rows);
// Those centres less the origin, one after the other.
[[nodiscard]] std::vector<double> start_centres(const Table& init, const Rows& rows);

// By the words kmeans++, afk-mc2, uniform, farthest.
[[nodiscard]] SeedingRule seeding_rule(std::string_view name);

template <class Method>
[[nodiscard]] SeedingOptions seeding_options(const Method& method) {
  return {.rule = seeding_rule(method.seeding),
          .candidates = static_cast<std::size_t>(method.seeding_candidates),
          .chain_length = static_cast<std::size_t>(method.chain_length)};
}

// OptionError if a start is given although several numbers of clusters, or several starts, are to be tried.
void check_one_start(const std::optional<Table>& init, const KRange& k, std::uint64_t restarts);
// The same for several starts alone. As many as there usually are nobody has asked for.
void check_restarts(const std::optional<Table>& init, std::uint64_t restarts, std::uint64_t usual = 1);

}  // namespace coppice::internal
