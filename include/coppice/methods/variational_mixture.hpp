// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Variational Bayesian mixtures: every cluster has a share in every row, parameters and weights have posteriors, and
// the number of clusters is found by minimizing the variational bound on -log p(data).
//
//   Fit fit = coppice::fit(points, VariationalMixture{.seed = 7});
//   fit.model.k();

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/describe.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/methods/method_facts.hpp"
#include "coppice/methods/shared_options.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice {

struct VariationalMixture {
  static constexpr MethodFacts facts{
      "vbmg",
      "VariationalMixture",
      "Variational Bayesian mixture: clusters that share rows, and find their own number",
      variational_bound,
      {.sparse = true, .weights = true, .probabilities = true, .density = true}};
  static constexpr std::string_view name = facts.name;

  std::optional<std::uint64_t> k = {};
  std::optional<std::uint64_t> max_k = {};
  std::string family = "auto";
  std::optional<double> phi0 = {};
  std::string prior = "auto";
  std::optional<double> xi0 = {};
  std::optional<double> eta0 = {};
  std::optional<Table> m0 = {};
  std::optional<Table> b0 = {};
  std::optional<double> psi0 = {};
  std::optional<double> omega0 = {};
  double tolerance = 1e-6;
  std::string assign = "auto";
  std::optional<Table> init = {};
  std::uint64_t restarts = 1;
  std::uint64_t max_iterations = 10000;
  double min_size = 0.0;
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, VariationalMixture>
void describe(Self& o, Visit&& visit) {
  describe_number(o, visit);
  visit(
      "family", o.family,
      Choices{with_registered_families({"auto", "gaussian", "diagonal", "spherical", "multinomial", "bernoulli"})},
      "what a cluster looks like; auto takes bernoulli for columns of 0 and 1, multinomial for sparse counts, and lets "
      "gaussian, diagonal and spherical clusters compete for all others");
  describe_phi0(o, visit);
  describe_priors(o, visit);
  describe_sharing(o, visit);
  describe_search(o, visit);
  visit("seed", o.seed, Range::at_least(0), "random seed: the same seed gives the same result");
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const VariationalMixture& method, const RunOptions& run = {});

// The bound where every row belongs to the cluster of its label alone: -log p(data, labels), as of BayesianKMeans.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const VariationalMixture& method,
                           const RunOptions& run = {});

}  // namespace coppice
