// SPDX-License-Identifier: BSD-3-Clause
#include "family/point_parameters.hpp"

#include <fmt/format.h>

#include <cmath>

namespace coppice {

void check_point_parameters(const PointParameters& parameters) {
  if (parameters.n_columns == 0) throw OptionError("a Gaussian cluster needs at least one column");
  if (!(parameters.floor >= 0.0) || !std::isfinite(parameters.floor)) {
    throw OptionError(fmt::format("--floor is {}, but must be finite and at least 0", parameters.floor));
  }
}

NamedArrays point_arrays(const PointParameters& parameters) {
  return {{"columns", {{}, {static_cast<double>(parameters.n_columns)}}}, {"floor", {{}, {parameters.floor}}}};
}

PointParameters point_parameters(const NamedArrays& arrays, std::string_view family) {
  const auto number = [&](const char* name) {
    const auto found = arrays.find(name);
    if (found == arrays.end() || found->second.values.size() != 1) {
      throw DataError(fmt::format("the parameters of the family {} lack the number '{}'", family, name));
    }
    return found->second.values[0];
  };
  const double columns = number("columns");
  if (!(columns >= 1.0 && columns <= 1e9) || columns != std::floor(columns)) {
    throw DataError(fmt::format("the family {} has {} columns, which is no number of columns", family, columns));
  }
  return {static_cast<std::size_t>(columns), number("floor")};
}

NumericError singular_covariance(double weight) {
  return NumericError(fmt::format(
      "the covariance of a cluster of weight {:g} is singular, so that its density has no limit: set --floor "
      "above 0, or drop columns that are constant or follow from others",
      weight));
}

}  // namespace coppice
