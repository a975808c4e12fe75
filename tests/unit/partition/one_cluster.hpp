// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a prior says of one cluster of a given size among k, the others sharing the rest of the weight.

#include <vector>

#include "coppice/partition/partition_prior.hpp"

namespace coppice {

inline std::vector<double> sizes_with(double first, double total, std::size_t k) {
  std::vector<double> sizes(k, k > 1 ? (total - first) / static_cast<double>(k - 1) : 0.0);
  sizes.front() = first;
  return sizes;
}

inline double offset(const PartitionPrior& prior, double size, double total, std::size_t k) {
  double result = 0.0;
  prior.offsets(sizes_with(size, total, k), total, {&result, 1});
  return result;
}

inline double log_share(const PartitionPrior& prior, double size, double total, std::size_t k) {
  double result = 0.0;
  prior.log_shares(sizes_with(size, total, k), total, {&result, 1});
  return result;
}

inline double log_remainder(const PartitionPrior& prior, double total) {
  return prior.log_remainder(sizes_with(total, total, 1), total);
}

}  // namespace coppice
