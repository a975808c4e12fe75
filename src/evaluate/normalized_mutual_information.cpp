// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/normalized_mutual_information.hpp"

#include <algorithm>

#include "evaluate/mutual_information.hpp"

namespace coppice::evaluate {

double normalized_mutual_information(const Contingency& table) {
  if (table.k() < 2 && table.k_truth() < 2) return 1.0;  // both entropies are 0: the same partition
  // Rounding must not make a score exceed 1.
  return std::min(mutual_information(table) / mean_entropy(table), 1.0);
}

double normalized_mutual_information(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  return normalized_mutual_information(contingency(labels, truth));
}

}  // namespace coppice::evaluate
