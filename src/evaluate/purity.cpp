// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/purity.hpp"

#include <algorithm>
#include <numeric>

namespace coppice::evaluate {

double purity(const Contingency& table) {
  if (table.n_rows == 0) return 1.0;
  std::vector<std::size_t> commonest(table.k(), 0);
  for (const Contingency::Cell& cell : table.cells) {
    commonest[cell.cluster] = std::max(commonest[cell.cluster], cell.count);
  }
  const std::size_t matched = std::accumulate(commonest.begin(), commonest.end(), std::size_t{0});
  return static_cast<double>(matched) / static_cast<double>(table.n_rows);
}

double purity(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  return purity(contingency(labels, truth));
}

}  // namespace coppice::evaluate
