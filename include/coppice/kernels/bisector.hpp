// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which of many points are nearest to some row of a box. The difference of two squared distances is linear in the row,
//
//   ||x - q||^2 - ||x - p||^2 = difference at the centre + 2 (p - q)'(x - centre),
//
// so that its least value over the box is exact: difference - 2 |p - q|' w, w the half widths.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/pair_bound.hpp"

namespace coppice::kernels {

class BisectorTester {
 public:
  explicit BisectorTester(std::size_t n_columns);
  void append(std::span<const double> point, double offset);

  // Drops every candidate (a point's number) that the one which is least at the centre beats everywhere in the box,
  // moves the others to the front in their order, and returns how many there are. `scratch` grows as needed. Being
  // beaten means by more than lead + band times the squared distances that occur in the box.
  std::size_t drop_beaten(const double* low, const double* high, const PairMargin& margin,
                          std::span<std::int32_t> candidates, std::vector<double>& scratch) const {
    const std::size_t needed = 2 * n_columns_ + candidates.size();
    if (scratch.size() < needed) scratch.resize(needed);
    return drop_({records_.data(), n_columns_}, low, high, margin, candidates.data(), candidates.size(),
                 scratch.data());
  }

  // Every point in a record of its own: its columns, then the offset.
  struct Points {
    const double* records = nullptr;
    std::size_t n_columns = 0;
  };
  using Drop = std::size_t (*)(const Points& points, const double* low, const double* high, const PairMargin& margin,
                               std::int32_t* candidates, std::size_t n_candidates, double* scratch);

 private:
  std::size_t n_columns_;
  Drop drop_;  // for this machine and this number of columns
  std::vector<double> records_;
};

}  // namespace coppice::kernels
