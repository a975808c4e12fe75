// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Agglomerative Bayesian clustering: every row starts as a cluster of its own, the merge that lowers -log p(data,
// labels) most comes first, and the level of the tree where it is least is the clustering.
//
//   Fit fit = coppice::fit(points, AgglomerativeBayesian{});
//   fit.hierarchy->tree;                                            // all merges, to the root
//   coppice::fit(points, AgglomerativeBayesian{.start_from = model});  // the tree above a model's clusters

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
#include "coppice/model/model.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice {

struct AgglomerativeBayesian {
  static constexpr MethodFacts facts{
      "abc",
      "AgglomerativeBayesian",
      "agglomerative Bayesian clustering: a tree of merges, cut where the evidence says",
      evidence_of_labels,
      {.sparse = true, .weights = true, .probabilities = true, .density = true, .tree = true}};
  static constexpr std::string_view name = facts.name;

  std::optional<std::uint64_t> k = {};
  std::string stop = "min";
  std::string family = "auto";
  std::string partition = "dirichlet";
  std::optional<double> phi0 = {};
  double alpha = 1.0;
  std::string prior = "auto";
  std::optional<double> xi0 = {};
  std::optional<double> eta0 = {};
  std::optional<Table> m0 = {};
  std::optional<Table> b0 = {};
  std::optional<double> psi0 = {};
  std::optional<double> omega0 = {};
  std::string pairs = "auto";
  std::uint64_t look_ahead = 1;
  std::optional<Model> start_from = {};
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, AgglomerativeBayesian>
void describe(Self& o, Visit&& visit) {
  visit("k", o.k, Range::at_least(1), "cut the tree into this many clusters, instead of finding the number");
  visit("stop", o.stop, Choices{{"min", "first-rise"}},
        "where the tree is cut: at the least objective, or before the first merge that does not lower it");
  visit(
      "family", o.family,
      Choices{with_registered_families(
          {"auto", "gaussian", "diagonal", "spherical", "multinomial", "bernoulli", "uninformative"}, true)},
      "what a cluster looks like; auto takes bernoulli for columns of 0 and 1, multinomial for sparse counts, and lets "
      "gaussian, diagonal and spherical compete for all others");
  describe_partition(o, visit);
  visit("prior", o.prior, Choices{{"auto", "paper"}},
        "rule for the parameters below that are not given by hand: auto fits them to the data, paper follows the "
        "published rule");
  visit("xi0", o.xi0, Range::pseudo_count(), "pseudo-count of the prior mean (auto: fitted; paper: 0.01)");
  visit("eta0", o.eta0, Range::pseudo_count(),
        "degrees of freedom of the prior precision (auto: fitted; paper: the number of columns)");
  visit("m0", o.m0, AnyTable{"one row"}, "prior mean (default: the data's mean)");
  visit("b0", o.b0, AnyTable{"columns x columns"},
        "prior inverse scale matrix (auto: the columns' variances, scaled to fit; paper: small distances)");
  describe_discrete_priors(o, visit);
  visit("pairs", o.pairs, Choices{{"auto", "fastpair", "conga", "naive"}},
        "how the closest pair is kept up to date; the tree is the same");
  visit("look_ahead", o.look_ahead, Range::between(1, 6),
        "merges to think ahead: the merge with the best continuation is made. Slow: for up to 2000 clusters");
  visit("start_from", o.start_from, AnyModel{},
        "build the tree above the clusters of this model (of bkm or abc), with its family and priors");
  visit("seed", o.seed, Range::at_least(0),
        "random seed of {transform=project} and of {stability}; the tree itself draws nothing");
}

// OptionError if the options do not fit the data, LimitError if there are too many rows; never an error because of a
// stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const AgglomerativeBayesian& method, const RunOptions& run = {});

// The objective of a given labelling under the priors that the method would use, without fitting.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels,
                           const AgglomerativeBayesian& method, const RunOptions& run = {});

}  // namespace coppice
