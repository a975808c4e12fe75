// SPDX-License-Identifier: BSD-3-Clause
// Agglomeration asks for log gammas of sizes as often as for pairs, N^2 times; sizes of unions of whole pieces are
// whole numbers, of which there are as many as rows.

#include "coppice/partition/size_terms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice::internal {

SizeTerms::SizeTerms(const PartitionPrior& partition, std::span<const double> pieces) : terms_(partition.merges()) {
  constexpr double largest_table = 1 << 22;  // sizes: 32 MB
  const double total = std::accumulate(pieces.begin(), pieces.end(), 0.0);
  const auto is_whole = [](double size) { return size >= 1.0 && size == std::floor(size); };
  if (!(total < largest_table) || !std::ranges::all_of(pieces, is_whole)) return;
  table_.resize(static_cast<std::size_t>(total) + 1, 0.0);
  for (std::size_t size = 1; size < table_.size(); ++size) {
    table_[size] = terms_.size_term(static_cast<double>(size));
  }
}

}  // namespace coppice::internal
