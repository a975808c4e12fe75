// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the options that all Bayesian methods have to the mixture that is sought; what is checked before it is searched,
// and what there is to be warned of afterwards.

#include <optional>
#include <string_view>
#include <vector>

#include "coppice/methods/describe.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/structure/mixture_spec.hpp"
#include "coppice/structure/searched_rows.hpp"
#include "methods/finish.hpp"

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
  if constexpr (requires { method.phi0; }) spec.partition.phi0 = method.phi0;
  if constexpr (requires { method.partition; }) {
    spec.partition.name = method.partition;
    spec.partition.alpha = method.alpha;
  }
  if constexpr (requires { method.k; }) {
    if (method.k) spec.k = static_cast<std::size_t>(*method.k);
  }
  return spec;
}

// What methods that search for clusters have in common beside priors.
template <class Method>
void take_search_options(const Method& method, MixtureSpec& spec) {
  if (method.k) spec.k = static_cast<std::size_t>(*method.k);
  spec.assign = assign_rule(method.assign);
  spec.has_start = method.init.has_value();
  spec.starts_from_centres = method.init && method.init->n_columns != 1;
  if (method.max_k) spec.max_k = static_cast<std::size_t>(*method.max_k);
  spec.restarts = static_cast<std::size_t>(method.restarts);
  spec.seed = method.seed;
}

template <class Method>
[[nodiscard]] MixtureSpec search_spec(const Method& method) {
  MixtureSpec spec = mixture_spec(method, PriorUse::search);
  take_search_options(method, spec);
  spec.min_size = method.min_size;
  return spec;
}

// OptionError if more clusters are asked for than there are rows, or than may be.
void check_number(const Dataset& data, const MixtureSpec& spec);

// OptionError where a tree is asked for, and the table allows none.
void check_tree_rows(const Dataset& data, const MixtureSpec& spec);

// OptionError or DataError where options, or the table, do not allow the search.
void check_search(const Dataset& data, std::string_view method, const MixtureSpec& spec);
template <class Method>
void check_search(const Dataset& data, const Method& method, const MixtureSpec& spec) {
  check_options(method);
  check_search(data, Method::name, spec);
}

// What the clusters that were found say of data and options.
[[nodiscard]] std::vector<Text> search_warnings(const Fit& fit, const Dataset& data, const MixtureSpec& spec);
// What the search made of weights and copies, where that is not what they say.
[[nodiscard]] std::vector<Text> search_weight_warnings(SearchWeights weights, double weight);

// Where clusters that share rows may be no lighter, and would be.
[[nodiscard]] std::vector<Text> min_size_warnings(bool is_at_limit, const MixtureSpec& spec);

// What a search says of itself when it is over.
template <class Search>
void take_search(const Search& search, const Journal& journal, const Execution& execution, Fit& fit) {
  take_account(journal, search.reason(), execution, fit);
  fit.assign = search.assign();
  fit.seconds.prepare = search.prepare_seconds();
  add_warnings(fit, search_weight_warnings(search.search_weights(), search.searched_weight()));
}

}  // namespace coppice::internal
