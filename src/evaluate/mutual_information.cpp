// SPDX-License-Identifier: BSD-3-Clause
#include "evaluate/mutual_information.hpp"

#include <algorithm>
#include <cmath>

namespace coppice::evaluate {

double entropy(std::span<const std::size_t> sizes, std::size_t n_rows) {
  const auto n = static_cast<double>(n_rows);
  double sum = 0.0;
  for (const std::size_t size : sizes) {
    const double share = static_cast<double>(size) / n;
    sum -= share * std::log(share);
  }
  return sum;
}

double mutual_information(const Contingency& table) {
  // One group has nothing to tell; said here so that rounding cannot make a 0 into 1e-17.
  if (table.k() < 2 || table.k_truth() < 2) return 0.0;
  const auto n = static_cast<double>(table.n_rows);
  double sum = 0.0;
  for (const Contingency::Cell& cell : table.cells) {
    const auto count = static_cast<double>(cell.count);
    const auto a = static_cast<double>(table.cluster_sizes[cell.cluster]);
    const auto b = static_cast<double>(table.truth_sizes[cell.truth]);
    sum += count / n * std::log(n * count / (a * b));
  }
  return std::max(sum, 0.0);
}

double mean_entropy(const Contingency& table) {
  return 0.5 * (entropy(table.cluster_sizes, table.n_rows) + entropy(table.truth_sizes, table.n_rows));
}

}  // namespace coppice::evaluate
