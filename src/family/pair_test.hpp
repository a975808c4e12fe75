// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The pair test of clusters whose costs are quadratic forms: every candidate against the one that is best at the centre
// of the box ([L] section 9.1 with better bounds, docs/families/gaussian.md).

#include <span>

#include "coppice/family/box.hpp"
#include "coppice/family/tie_rule.hpp"
#include "coppice/kernels/pair_bound.hpp"

namespace coppice::internal {

class QuadraticPairTest final : public BoxTest {
 public:
  explicit QuadraticPairTest(std::size_t n_columns) : forms_(n_columns), band_(widest_band(n_columns)) {}

  // (x - m)' matrix (x - m) + a; the matrix in full.
  void append(std::span<const double> m, std::span<const double> matrix, double a) { forms_.append(m, matrix, a); }

  void prune(std::span<kernels::ContestedBox> boxes, double lead, std::vector<double>& scratch) const override {
    forms_.drop_beaten(boxes, {lead, band_}, scratch);
  }

 private:
  kernels::PairTester forms_;
  double band_;
};

}  // namespace coppice::internal
