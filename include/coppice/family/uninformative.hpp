// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters of any shape under a prior that says nothing ([L] appendix A as corrected in docs/errata.md): means
// are uniform over the volume V that the data span, p(Omega) = |Omega|^(-(D + 1) / 2). The posterior has xi = N,
// m = xbar, eta = N - 1, B = scatter.
//
// A cluster needs at least D + 1 rows that span all columns: the log evidence of any other is -infinity, which keeps
// it out of every search. The mean is integrated over all of space, so that this is an approximation of the evidence.

#include <cstddef>
#include <span>

#include "coppice/family/wishart_family.hpp"

namespace coppice::internal {

class UninformativeGaussian : public WishartFamily {
 public:
  // log V; OptionError unless it is finite.
  UninformativeGaussian(std::size_t n_columns, double log_volume);

  [[nodiscard]] std::string_view name() const noexcept { return "uninformative"; }
  [[nodiscard]] double log_volume() const noexcept { return log_volume_; }

  // NumericError for a cluster without evidence.
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  // The expected log ratio of posterior and prior; the prior has no integral, so that it may be negative.
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static UninformativeGaussian from_arrays(const NamedArrays& arrays);

 private:
  double log_volume_;
};

static_assert(BoxBounded<UninformativeGaussian> && FindsNearest<UninformativeGaussian>);

}  // namespace coppice::internal
