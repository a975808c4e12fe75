// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters under a prior that is given number by number, so that nothing of it is fitted.

#include "coppice/family/gaussian.hpp"
#include "coppice/structure/mixture_spec.hpp"

namespace coppice::internal {

inline MixtureSpec with_given_prior(MixtureSpec spec, const NormalWishart& prior) {
  spec.family = "gaussian";
  spec.prior.xi0 = prior.xi0;
  spec.prior.eta0 = prior.eta0;
  spec.prior.m0 = prior.m0;
  spec.prior.b0 = prior.b0;
  return spec;
}

}  // namespace coppice::internal
