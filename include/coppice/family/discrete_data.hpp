// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables for the families of counts and bits, dense or sparse: do they fit, and do all rows add up to the same?

#include <optional>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

// DataError with row, column and value unless every value is a whole number from 0 on.
void check_counts(const Dataset& data);
// The same unless every value is 0 or 1.
void check_binary(const Dataset& data);

// What the columns of every row add up to, if that is the same for all rows; nothing if not, or without rows.
[[nodiscard]] std::optional<double> shared_total(const Execution& execution, const Dataset& data);

}  // namespace coppice::internal
