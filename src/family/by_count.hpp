// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A function of a count, remembered for small whole counts: the columns of a cluster have few different sums, most of
// them 0 where there are many columns, and log gamma and digamma are slow.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace coppice::internal {

template <class Function>
class ByCount {
 public:
  ByCount(std::size_t n_columns, Function function)
      : function_(std::move(function)),
        known_(std::min<std::size_t>(4096, 2 * n_columns), std::numeric_limits<double>::quiet_NaN()) {}

  double operator()(double count) {
    if (!(count >= 0.0 && count < static_cast<double>(known_.size()))) return function_(count);
    const auto whole = static_cast<std::size_t>(count);
    if (static_cast<double>(whole) != count) return function_(count);
    if (known_[whole] != known_[whole]) known_[whole] = function_(count);  // not a number: not known yet
    return known_[whole];
  }

 private:
  Function function_;
  std::vector<double> known_;
};

}  // namespace coppice::internal
