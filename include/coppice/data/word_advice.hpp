// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Words that were meant to be numbers, or nothing: what they look like, and what to do about them, for messages.

#include <string>
#include <string_view>

#include "coppice/data/column.hpp"

namespace coppice::internal {

// "looks like an amount of money, expected a plain number; remove the currency sign"; empty for a word like any other.
// A number in disguise is one that is still the same in a column of its like: $5, 12%, 2024-01-31, 5 kg.
[[nodiscard]] std::string_view advice_on_disguised_number(std::string_view word);

// The same for a word among numbers, where it may also stand for a missing value, for yes or no, or for an error.
[[nodiscard]] std::string_view advice_among_numbers(std::string_view word);

// "file:line:column: '$5' in column 'price' looks like ...", about the first word of a column; empty if it is a word
// like any other.
[[nodiscard]] std::string advice_on_column(const CategoryColumn& column);

}  // namespace coppice::internal
