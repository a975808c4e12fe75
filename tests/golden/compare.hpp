// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compares what the library computed with what a case expects: numbers within tolerance * max(1, |expected|), whole
// numbers, strings and nulls exactly. A key that the library does not offer is left out, and told. A bound that may be
// any valid one, instead of a certain number, is at_most() or at_least() what the case expects, within the same
// tolerance.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace coppice::golden {

using Json = nlohmann::json;

struct Comparison {
  std::size_t n_compared = 0;      // numbers, strings and nulls looked at
  std::string disagreement;        // the first one, "path: got .., expected .."; empty if there is none
  std::set<std::string> left_out;  // paths of keys that the library does not offer, without places in arrays
};

// Results that stand for every expected number from this one on, or up to this one.
[[nodiscard]] Json at_most(double value);
[[nodiscard]] Json at_least(double value);

[[nodiscard]] Comparison compare(const Json& got, const Json& expected, double tolerance);

}  // namespace coppice::golden
