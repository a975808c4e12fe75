// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The paper's criteria for which cluster to split and which pair to merge ([L] Eqs. 47-51), from the soft
// responsibilities r of the mixture at the posterior mean parameters. With f_n = r_nc / sum_m r_mc,
//
//   J_split(c)    = sum_n f_n [log f_n - log p(x_n | c)]          (the discrete reading, docs/errata.md, 15)
//   J_merge(c, d) = cosine of the columns r_.c and r_.d

#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

struct SplitMergeCriteria {
  std::vector<double> split;  // one per cluster
  std::vector<double> merge;  // k x k, row by row
};

// Units must be rows.
[[nodiscard]] SplitMergeCriteria split_merge_criteria(const Execution& execution, const Problem& problem,
                                                      const StatsArena& stats);

}  // namespace coppice::internal
