// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "coppice/structure/mixture_plan.hpp"

namespace coppice::internal {

// Enough of them for a hundred clusters.
inline constexpr std::size_t usual_searched_rows = 10000;

// What a row weighs while structure is searched. A row that is there five times, and not by chance, is no tight cluster
// of five; and weights that are no whole numbers count nothing: they say how much a row matters beside the others. Then
// no row weighs more than 1, and lighter ones less in proportion. Weights and copies are taken alike.
enum class SearchWeights : std::uint8_t {
  as_given,
  table_once,        // all rows are there as often, or several times as often: one such table is searched
  copies_once,       // most rows are there several times, or weigh as much
  some_copies_once,  // some rows, in columns of measured numbers
  masses,            // weights with fractions
};

// All rows if they are no more than n and all different, else different ones with the weight of all their copies. Which
// ones depends on the table and the plan alone.
[[nodiscard]] Rows different_rows(const Execution& execution, const MixturePlan& plan,
                                  std::size_t n = usual_searched_rows);

// The same as structure is searched in them.
struct SearchedRows {
  Rows rows;
  SearchWeights weights = SearchWeights::as_given;
};
[[nodiscard]] SearchedRows rows_to_search(const Execution& execution, const MixturePlan& plan,
                                          std::size_t n = usual_searched_rows);

}  // namespace coppice::internal
