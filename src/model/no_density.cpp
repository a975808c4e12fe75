// SPDX-License-Identifier: BSD-3-Clause
#include "model/no_density.hpp"

#include <fmt/format.h>

#include <cmath>

namespace coppice::internal {

DataError no_density(const Dataset& rows, std::size_t row) {
  std::size_t largest = 0;
  for (std::size_t c = 1; c < rows.n_columns(); ++c) {
    if (std::abs(rows.value(row, c)) > std::abs(rows.value(row, largest))) largest = c;
  }
  return DataError(
      fmt::format("row {}: its density is too small for a number, so far is it from every cluster of the model (its "
                  "largest value is {} in column '{}'); remove the row",
                  row + 1, rows.value(row, largest), rows.columns()[largest].name));
}

}  // namespace coppice::internal
