// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors informed by the data. The paper's rule for the top-down search ([L] Eq. 21):
//
//   xi0 = 0.1, m0 = mean, eta0 = D, B0 = small_distance^2 D S / trace(S)
//
// and for agglomeration (Eq. 22), where the prior would else outweigh clusters of one row:
//
//   xi0 = 0.01, m0 = mean, eta0 = D, B0 = 0.01 small_distance^2 I
//
// [V] gives no values. Ours for mixtures that are searched as printed there: clusters of a tenth of the data's
// covariance,
//
//   xi0 = 0.01, m0 = mean, eta0 = D + 2, B0 = 0.1 eta0 S

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice::internal {

// What the user gave instead of the rule's values. m0 in the data's own coordinates.
struct GaussianPriorChoices {
  std::optional<double> xi0;
  std::optional<double> eta0;
  std::vector<double> m0;  // empty: by the rule
  std::vector<double> b0;  // D x D, row by row; empty: by the rule
};

// Mean (less the origin) and covariance (1/N, row by row) of all rows, by weight.
struct DataMoments {
  double weight = 0.0;
  std::vector<double> mean;
  std::vector<double> covariance;
};
[[nodiscard]] DataMoments data_moments(const Execution& execution, const Rows& rows);

enum class PaperRule : std::uint8_t { top_down, bottom_up, infinite_mixture };

// B0 of Eqs. 21 and 22, or of a mixture at eta0 = 1, with the singular cases settled: no distance at all, a covariance
// that has no inverse, a single row.
[[nodiscard]] std::vector<double> paper_b0(const DataMoments& moments, double small_distance,
                                           PaperRule rule = PaperRule::top_down);

// Gives a prior even if it is asked to stop on the way. The tree over the rows is made here if there is none.
[[nodiscard]] NormalWishart paper_prior(const Execution& execution, const Rows& rows,
                                        const GaussianPriorChoices& choices, const KdTree* tree = nullptr,
                                        PaperRule rule = PaperRule::top_down);

}  // namespace coppice::internal
