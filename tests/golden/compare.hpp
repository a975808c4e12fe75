// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compares what the library computed with what a case expects: numbers within tolerance * max(1, |expected|), whole numbers,
// strings and nulls exactly. A key that the library does not offer is left out.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace coppice::golden {

using Json = nlohmann::json;

struct Comparison {
  std::size_t n_compared = 0;   // numbers, strings and nulls looked at
  std::string disagreement;     // the first one, "path: got .., expected .."; empty if there is none
};

[[nodiscard]] Comparison compare(const Json& got, const Json& expected, double tolerance);

}  // namespace coppice::golden
