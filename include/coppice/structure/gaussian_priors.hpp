// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors of the Gaussian families in a few numbers, to be fitted (docs/methods/bkm.md). With v_d the variance of column
// d over all rows,
//
//   gaussian   eta0 = D - 1 + nu, B0 = f eta0 gamma diag(v): every cluster has its own factor f, if they vary in scale
//
//   diagonal   eta0 = nu, b0 = nu gamma v, column by column
//
//   spherical  eta0 = nu, b0 = nu gamma mean(v): one precision for all columns
//
//   student, student-diagonal, student-spherical
//              as these three, and a fourth number: the degrees of freedom of the clusters' tails
//
// gamma is the variance of a typical cluster as a share of the data's, nu how sure that is, xi0 how widely the means
// are spread. Only the columns' variances are taken from the data, never their correlations: these would be D (D + 1) /
// 2 numbers fitted to the same rows.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice {

// What the prior takes from the data, or is given by hand.
struct GaussianShape {
  std::vector<double> mean;  // less the origin
  std::vector<double> variance;
  std::vector<double> rounding;  // rounding_variances(); empty: none
  std::optional<double> xi0 = {};
  std::optional<double> eta0 = {};
  std::vector<double> b0 = {};   // D x D, for the gaussian family alone
  bool varies_in_scale = false;  // NormalWishart::multiples, unless b0 is given
  bool is_round = false;         // gaussian: B0 = f eta0 gamma mean(v) I
  std::size_t n_different = 0;   // rows; 0: too many to count, or of no matter
};

// Whether no column's variance is more than four times the median one. Columns may then be taken as measures in one
// unit, of which those that hardly vary say little; under a prior of their own variances they would say the most.
[[nodiscard]] bool vary_alike(std::span<const double> variances);

// Fewer than ten rows per column: what a cluster of any shape would need is not there, and round ones are more likely
// to win.
[[nodiscard]] bool has_few_rows(const Dataset& data);

// Fewer rows than columns, as far as that is known.
[[nodiscard]] bool is_wide(const GaussianShape& shape);

// Whether so few rows say hardly anything of one cluster of any shape. N rows and their mean m0 span N - 1 directions;
// with eta0 = D and B0 in proportion to a small s the log evidence goes by -(N (N - 1) - D) / 2 log(1 / s). D of that
// is the density of m0 at m0, which grows with every column. From a quarter of the whole on it decides between one
// cluster and two; as the whole it has no limit.
[[nodiscard]] bool is_mean_much_of_evidence(const GaussianShape& shape);

// Mean and variance of all rows, but for wild values (calm_moments.hpp). DataError if squares overflow.
[[nodiscard]] GaussianShape gaussian_shape(const Execution& execution, const Rows& rows);

// By the names above.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_gaussian_prior(std::string_view family, const GaussianShape& shape);

}  // namespace coppice
