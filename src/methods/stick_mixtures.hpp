// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the methods have in common whose mixtures break a stick: variational_dp.hpp and blei_jordan.hpp.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/assign/assigner.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/partition/sticks.hpp"
#include "methods/mixture_options.hpp"

namespace coppice::internal {

template <class Method>
[[nodiscard]] MixtureSpec stick_spec(const Method& method, const StickPrior& sticks) {
  MixtureSpec spec = mixture_spec(method, PriorUse::infinite_mixture);
  spec.partition = {.name = "sticks", .sticks = sticks};
  spec.shares_rows = true;
  spec.assign = assign_rule(method.assign);
  spec.has_start = method.init.has_value();
  spec.starts_from_centres = method.init && method.init->n_columns != 1;
  spec.restarts = static_cast<std::size_t>(method.restarts);
  spec.seed = method.seed;
  return spec;
}

// OptionError or DataError where the family, or the table, does not allow that. Options have been checked.
void check_stick_mixture(const Dataset& data, std::string_view method, const MixtureSpec& spec);

// OptionError if a start has more clusters than there may be components, by the option that says so.
void check_start_size(std::span<const std::int32_t> labels, std::string_view option, std::size_t most);

// Of components that rows belong to.
void count_used(Fit& fit);

// What table and family say of the result.
[[nodiscard]] std::vector<Text> stick_mixture_warnings(const Dataset& data, std::string_view family);

}  // namespace coppice::internal
