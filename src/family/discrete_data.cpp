// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/discrete_data.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <string_view>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/format_text.hpp"
#include "family/row_entries.hpp"

namespace coppice::internal {

namespace {

template <class Fits>
void check_values(const Dataset& data, const Fits& fits, const Text& remedy) {
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    with_entries(data, row, [&](const auto& entries) {
      entries.for_each([&](std::size_t column, double value) {
        if (fits(value)) return;
        throw DataError(format_text("row {} (counted from 1), column '{}': the value is {}, but {}", row + 1,
                                    data.columns()[column].name, value, remedy));
      });
    });
  }
}

double total_of(const Dataset& data, std::size_t row) {
  double total = 0.0;
  with_entries(data, row, [&](const auto& entries) {
    entries.for_each([&](std::size_t /*column*/, double value) { total += value; });
  });
  return total;
}

}  // namespace

void check_counts(const Dataset& data) {
  constexpr double most = 0x1p53;  // whole numbers beyond are not told apart
  check_values(
      data, [](double value) { return value >= 0.0 && value <= most && value == std::floor(value); },
      format_text("the multinomial family takes counts, whole numbers from 0 on; choose another {family}, or leave the "
                  "column out with {columns}"));
}

void check_binary(const Dataset& data) {
  check_values(
      data, [](double value) { return value == 0.0 || value == 1.0; },
      format_text("the bernoulli family takes 0 and 1; choose another {family}, or make values 0 and 1 with "
                  "{transform=binarize}"));
}

std::optional<double> shared_total(const Execution& execution, const Dataset& data) {
  if (data.n_rows() == 0) return std::nullopt;
  const double total = total_of(data, 0);
  const Blocks blocks{.n_items = data.n_rows()};
  std::atomic<bool> is_shared = true;
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for (std::size_t row = block.first; is_shared && row < block.last; ++row) {
      // Sums of whole numbers are exact.
      if (total_of(data, row) != total) is_shared = false;
    }
  });
  return is_shared ? std::optional(total) : std::nullopt;
}

}  // namespace coppice::internal
