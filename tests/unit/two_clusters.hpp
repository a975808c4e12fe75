// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// Two round clusters of n rows each in the plane, in turn, `gap` standard deviations apart.
inline Dataset two_clusters(std::size_t n, double gap, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test};
  std::vector<double> values;
  for (std::size_t row = 0; row < 2 * n; ++row) {
    values.push_back(random.normal() + (row % 2 == 0 ? 0.0 : gap));
    values.push_back(random.normal());
  }
  return Dataset::from_rows(std::move(values), 2 * n, 2);
}

}  // namespace coppice::internal
