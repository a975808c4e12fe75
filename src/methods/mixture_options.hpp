// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the options that all Bayesian methods have to the mixture that is sought.

#include <optional>
#include <string_view>
#include <vector>

#include "coppice/methods/describe.hpp"
#include "coppice/structure/mixture_spec.hpp"

namespace coppice::internal {

// By the words auto, grid and paper.
[[nodiscard]] inline PriorRule prior_rule(std::string_view word) {
  if (word == "paper") return PriorRule::paper;
  return word == "grid" ? PriorRule::grid : PriorRule::fitted;
}

template <class Method>
[[nodiscard]] MixtureSpec mixture_spec(const Method& method, PriorUse use) {
  const auto values_of = [](const std::optional<Table>& table) {
    return table ? table->values : std::vector<double>{};
  };
  MixtureSpec spec;
  spec.family = method.family;
  spec.prior = {prior_rule(method.prior), use,         method.xi0,   method.eta0, values_of(method.m0),
                values_of(method.b0),     method.psi0, method.omega0};
  spec.partition = {method.partition, method.phi0, method.alpha};
  if (method.k) spec.k = static_cast<std::size_t>(*method.k);
  return spec;
}

}  // namespace coppice::internal
