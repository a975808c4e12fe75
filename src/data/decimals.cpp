// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/decimals.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>

namespace coppice::internal {

namespace {

constexpr std::array powers{1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
static_assert(powers.size() == most_decimals + 1);

// Whether the value is the nearest there is to a number with so many decimals, of not too many digits.
template <class Value>
bool has_decimals(Value value, int decimals) {
  constexpr double most = std::is_same_v<Value, float> ? 1e6 : 1e12;
  const double scaled = static_cast<double>(value) * powers[static_cast<std::size_t>(decimals)];
  // Also keeps the conversion below in range.
  if (!(std::abs(scaled) < most)) return false;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(scaled + std::copysign(0.5, scaled)));
  return static_cast<Value>(whole / powers[static_cast<std::size_t>(decimals)]) == value;
}

template <class Value>
void find_decimals(std::span<const Value> values, const Dataset& data, std::vector<Column>& columns) {
  std::vector<std::size_t> open(columns.size());  // columns whose values have few decimals so far
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (Column& column : columns) column.decimals = 0;
  for (std::size_t row = 0; row < data.n_rows() && !open.empty(); ++row) {
    if (!(data.weight(row) > 0.0)) continue;
    const Value* here = values.data() + row * data.n_columns();
    const auto has_too_many = [&](std::size_t c) {
      int& decimals = columns[c].decimals;
      // From what the rows before needed: a column climbs to nine at most once.
      while (decimals <= most_decimals && !has_decimals(here[c], decimals)) ++decimals;
      if (decimals > most_decimals) decimals = -1;
      return decimals < 0;
    };
    std::erase_if(open, has_too_many);
  }
}

}  // namespace

std::vector<Column> with_decimals(const Dataset& data) {
  std::vector<Column> columns = data.columns();
  if (data.is_sparse()) return columns;
  if (data.storage() == Storage::float32) {
    find_decimals(data.floats(), data, columns);
  } else {
    find_decimals(data.doubles(), data, columns);
  }
  return columns;
}

double rounded_to(double value, int decimals) {
  // From here on all doubles are whole numbers.
  constexpr double whole_anyway = 0x1p52;
  const double power = powers[static_cast<std::size_t>(decimals)];
  const double scaled = value * power;
  return std::abs(scaled) < whole_anyway ? std::nearbyint(scaled) / power : value;
}

}  // namespace coppice::internal
