// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Dirichlet process mixtures by variational Bayes: as many components as lower the free energy, which bounds
// -log p(data) from above; what no component has yet is left to the prior itself.
//
//   Fit fit = coppice::fit(points, VariationalDp{.family = "gaussian", .seed = 7});
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

namespace coppice {

struct VariationalDp {
  static constexpr MethodFacts facts{"vdp",
                                     "VariationalDirichletProcess",
                                     "variational Dirichlet process mixture that releases components while that pays",
                                     variational_bound,
                                     {.sparse = true, .weights = true, .probabilities = true, .density = true}};
  static constexpr std::string_view name = facts.name;

  std::optional<std::uint64_t> max_k = {};
  std::string family = "auto";
  double alpha1 = 1.0;
  std::optional<double> alpha2 = {};
  std::optional<double> epsilon = {};
  std::string prior = "auto";
  std::optional<double> xi0 = {};
  std::optional<double> eta0 = {};
  std::optional<Table> m0 = {};
  std::optional<Table> b0 = {};
  std::optional<double> psi0 = {};
  std::optional<double> omega0 = {};
  std::string search = "auto";
  std::string assign = "auto";
  double budget_nats = 0.01;
  std::optional<std::uint64_t> budget_nodes = {};
  std::optional<Table> init = {};
  std::uint64_t restarts = 1;
  std::uint64_t max_iterations = 10000;
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, VariationalDp>
void describe(Self& o, Visit&& visit) {
  visit("max_k", o.max_k, Range::at_least(1), "never more than this many components");
  describe_sticks(o, visit,
                  "what a cluster looks like; auto takes bernoulli for columns of 0 and 1, multinomial for "
                  "sparse counts, and lets gaussian, diagonal and spherical clusters compete for all others "
                  "(student and uninformative clusters are refused)");
  visit("alpha2", o.alpha2, Range::pseudo_count(),
        "the second number of that: larger favours more clusters (auto: fitted; else 1)");
  visit("epsilon", o.epsilon, Range::at_least(0),
        "nats that one more component must gain (default: 1e-5 per row, at least 1e-3); 0 goes on to {max_k}");
  visit(
      "prior", o.prior, Choices{{"auto", "grid", "paper"}},
      "rule for the parameters below that are not given by hand: auto fits them to the data, grid takes the best of a "
      "few, paper takes clusters of a tenth of the data's covariance");
  describe_stick_priors(o, visit);
  visit("search", o.search, Choices{{"auto", "paper"}},
        "when the search ends: auto, when every component has failed to gain by being cut in two; paper, with the "
        "first of ten drawn that fails");
  visit("assign", o.assign, Choices{{"auto", "naive", "kdtree"}},
        "naive: every row with every component; kdtree: nodes of a tree, whose rows share alike, which is approximate; "
        "auto: always exact");
  visit("budget_nats", o.budget_nats, Range::at_least(0),
        "{assign=kdtree}: how many nats per row the objective may lie above that of single rows; 0: down to these");
  visit("budget_nodes", o.budget_nodes, Range::at_least(1), "{assign=kdtree}: no more nodes and rows than this");
  visit("init", o.init, AnyTable{"a label per row, or a row per centre"}, "where to start instead of one component");
  visit("restarts", o.restarts, Range::at_least(1), "searches with other draws of components to cut; the best is kept");
  visit("max_iterations", o.max_iterations, Range::at_least(1), "updates of all components at most, per search");
  visit("seed", o.seed, Range::at_least(0), "random seed: the same seed gives the same result");
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const VariationalDp& method, const RunOptions& run = {});

// The free energy where every row belongs to one component: -log p(data, labels) of a given labelling.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const VariationalDp& method,
                           const RunOptions& run = {});

}  // namespace coppice
