// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds the columns of a table that a model was fitted to. Names decide where both have them, in any order: the very
// name, else the same but for upper and lower case if only one column can be meant. Columns that are not wanted are
// left out.
//
//   const MatchedColumns matched = match_columns(table, model.input_columns());
//   const Dataset as_they_stand = columns_by_position(table, model.input_columns());

#include <cstdint>
#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

enum class MatchedBy : std::uint8_t { name, position };

struct MatchedColumns {
  Dataset data;
  MatchedBy by = MatchedBy::name;
};

// Whether any of the columns has a name of its own, rather than x1, x2, ... that stand for none.
[[nodiscard]] bool have_names(std::span<const Column> columns);

// By name; by position where one of the two has no names and both have as many columns. DataError otherwise, which says
// what is missing and what is there. Sparse rows may be shorter: the columns behind their last one are zero.
[[nodiscard]] MatchedColumns match_columns(const Dataset& table, std::span<const Column> wanted);

// The columns as they stand, under the names that are wanted. DataError unless there are as many, all of numbers.
[[nodiscard]] Dataset columns_by_position(const Dataset& table, std::span<const Column> wanted);

}  // namespace coppice::internal
