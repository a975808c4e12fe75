// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// MergeTerms::size_term for the sizes that clusters of given pieces can have. Where all pieces are whole numbers,
// so are all sums of them, and the terms (log gammas) come from a table: agglomeration asks for one per pair.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

class SizeTerms {
 public:
  // Keep the prior while this is in use. std::logic_error if its merges have no closed form.
  SizeTerms(const PartitionPrior& partition, std::span<const double> pieces);

  [[nodiscard]] double operator()(double size) const {
    return table_.empty() ? terms_.size_term(size) : table_[static_cast<std::size_t>(size)];
  }

 private:
  const MergeTerms& terms_;
  std::vector<double> table_;  // by size; empty: there are sizes that are not whole, or too many
};

}  // namespace coppice::internal
