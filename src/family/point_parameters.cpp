// SPDX-License-Identifier: BSD-3-Clause
#include "family/point_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

void check_floors(const std::vector<double>& floors) {
  if (floors.empty()) throw OptionError("a Gaussian cluster needs at least one column");
  const auto is_none = [](double floor) { return floor == 0.0; };
  for (const double floor : floors) {
    if (!(floor >= 0.0) || !std::isfinite(floor)) {
      throw OptionError(fmt::format("the floor of a variance is {}, but must be finite and at least 0", floor));
    }
  }
  // Eigenvalues are raised in units of the floors: some of them 0 would be no units.
  if (std::ranges::any_of(floors, is_none) && !std::ranges::all_of(floors, is_none)) {
    throw OptionError("some columns have a floor for their variance and some have none");
  }
}

NamedArrays point_arrays(const std::vector<double>& floors) {
  return {{"columns", {{}, {static_cast<double>(floors.size())}}}, {"floor", {{floors.size()}, floors}}};
}

std::vector<double> point_floors(const NamedArrays& arrays, std::string_view family) {
  const auto numbers = [&](const char* name) -> const std::vector<double>& {
    const auto found = arrays.find(name);
    if (found == arrays.end() || found->second.values.empty()) {
      throw DataError(fmt::format("the parameters of the family {} lack the number '{}'", family, name));
    }
    return found->second.values;
  };
  const double columns = numbers("columns")[0];
  if (!(columns >= 1.0 && columns <= 1e9) || columns != std::floor(columns)) {
    throw DataError(fmt::format("the family {} has {} columns, which is no number of columns", family, columns));
  }
  const auto n_columns = static_cast<std::size_t>(columns);
  const std::vector<double>& floors = numbers("floor");
  if (floors.size() == 1) return std::vector<double>(n_columns, floors[0]);
  if (floors.size() == n_columns) return floors;
  throw DataError(
      fmt::format("the family {} has {} columns, but {} numbers in 'floor'", family, n_columns, floors.size()));
}

NumericError singular_covariance(double weight, bool has_floor) {
  if (has_floor) {
    return NumericError(format_text(
        "the covariance of a cluster of weight {:g} has no triangular factor, since rows lie too far apart for the "
        "digits there are; leave out rows that are far from all others, or rescale the columns "
        "({transform=standardize})",
        weight));
  }
  return NumericError(format_text(
      "the covariance of a cluster of weight {:g} is singular, so that its density has no limit: set {floor} "
      "above 0, or drop columns that are constant or follow from others",
      weight));
}

}  // namespace coppice::internal
