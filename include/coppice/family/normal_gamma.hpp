// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The prior of Gaussian clusters without correlations (diagonal.hpp, spherical.hpp).
//
// Legend as in gaussian.hpp: m, xi = mean and its pseudo-count; eta, b = degrees of freedom and inverse scale of a
// precision w, so that E[w] = eta / b. Suffix 0 marks the prior.
//
// Rounding: values on a grid of width delta hide a variance of R = delta^2 / 12 in that column. n R is added to the
// scatter of n rows, and its expected cost to the cost of a row, so that a column which is constant inside a cluster
// keeps a finite density. Evidence, costs and predictive densities all follow from that one rule.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/family/family.hpp"

namespace coppice::internal {

struct NormalGamma {
  std::vector<double> m0;
  double xi0 = 0.1;
  double eta0 = 2.0;
  std::vector<double> b0;        // one per column; a single one for spherical clusters
  std::vector<double> rounding;  // R of every column; empty: none
};

// What a precision's degrees of freedom must be beyond the least that is possible: less is lost beside those of a row.
inline constexpr double least_freedom = 1e-6;

// OptionError unless xi0, eta0 and all of b0 are positive and finite, and there are n_b0 of the latter.
void check_prior(const NormalGamma& prior, std::size_t n_b0);
// OptionError if the prior mean is so far from the origin that squared distances from it overflow.
void check_prior_mean(std::span<const double> m0);
// OptionError unless there are none or one per column, 0 or positive and finite.
void check_rounding(std::span<const double> rounding, std::size_t n_columns);

// log Z of a precision's density w^(eta / 2 - 1) exp(-b w / 2) / Z.
[[nodiscard]] double log_normalizer(double eta, double b);

[[nodiscard]] NamedArrays to_arrays(const NormalGamma& prior);
// DataError if the arrays are not what to_arrays wrote.
[[nodiscard]] NormalGamma normal_gamma_from(const NamedArrays& arrays, std::string_view family);

// A prior's arrays by name, for reading them back. DataError, with the family's name, if one is missing.
[[nodiscard]] const std::vector<double>& prior_array(const NamedArrays& arrays, const char* name,
                                                     std::string_view family);
// R of every column; empty if the arrays have none. DataError unless there is one per column, none negative.
[[nodiscard]] std::vector<double> rounding_from(const NamedArrays& arrays, std::size_t n_columns,
                                                std::string_view family);

}  // namespace coppice::internal
