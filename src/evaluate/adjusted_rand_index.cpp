// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/adjusted_rand_index.hpp"

namespace coppice::evaluate {

namespace {

// Ten million rows make 5e13 pairs, and products of pairs pass 64 bits.
__extension__ using Wide = __int128;

Wide pairs(std::size_t count) { return static_cast<Wide>(count) * (static_cast<Wide>(count) - 1) / 2; }

Wide pairs_within(const std::vector<std::size_t>& sizes) {
  Wide sum = 0;
  for (const std::size_t size : sizes) sum += pairs(size);
  return sum;
}

}  // namespace

// ARI = (S - E) / ((A + B) / 2 - E), E = A B / C, where S, A, B, C count the pairs that are together in both, in the
// first, in the second, and all pairs (Hubert and Arabie 1985). Numerator and denominator times C are whole numbers, so
// nothing cancels.
double adjusted_rand_index(const Contingency& table) {
  Wide together = 0;
  for (const Contingency::Cell& cell : table.cells) together += pairs(cell.count);
  const Wide first = pairs_within(table.cluster_sizes);
  const Wide second = pairs_within(table.truth_sizes);
  const Wide all = pairs(table.n_rows);
  if (together == first && together == second) return 1.0;  // the same partition; includes 0/0
  const Wide numerator = 2 * (together * all - first * second);
  const Wide denominator = (first + second) * all - 2 * first * second;
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

double adjusted_rand_index(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  return adjusted_rand_index(contingency(labels, truth));
}

}  // namespace coppice::evaluate
