// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks that methods share: does the data fit the method, do the options fit the data?

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice::internal {

// OptionError if there is a column of words, saying what to do; DataError if there are no rows or no weight,
// or values whose sums of squares overflow or vanish (data/squares.hpp).
void check_table(const Dataset& data, std::string_view method);
// The same, and OptionError if rows are sparse.
void check_numeric(const Dataset& data, std::string_view method);
// OptionError if more clusters are asked for than there are rows.
void check_cluster_count(std::string_view key, const std::optional<std::uint64_t>& k, const Dataset& data);
// DataError if there is not one label per row.
void check_labels(std::span<const std::int32_t> labels, const Dataset& data);

// For methods to which weights are counts of rows: the total weight; DataError if that is too much to count, or
// next to nothing.
double check_row_counts(const Dataset& data);
// If all rows together weigh less than two.
[[nodiscard]] std::vector<Text> light_weight_warnings(const Dataset& data);
// One sentence about all columns that are constant, or none.
[[nodiscard]] std::vector<Text> constant_column_warnings(const Dataset& data);

// For clusters that know one scale for all columns: if one spreads more than a hundred times as wide as another. Not
// for principal components and projections. `clusters`: who they are.
[[nodiscard]] std::vector<Text> unlike_scale_warnings(const Dataset& data, std::string_view clusters);

// Whether clusters of that family, asked for by name, know one scale for all columns.
[[nodiscard]] bool has_one_scale(std::string_view family);

// By the clock or by the user.
[[nodiscard]] bool was_stopped(const Fit& fit);
// A warning that says why there are not as many clusters as asked for: the fit was stopped, there are no more different
// rows, or else what the method says.
[[nodiscard]] Text why_fewer_clusters(const Fit& fit, std::uint64_t asked_for, const Dataset& data,
                                      const Text& else_why);

}  // namespace coppice::internal
