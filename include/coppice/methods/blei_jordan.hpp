// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Dirichlet process mixtures by variational Bayes with a stick that is broken so many times and no more (Blei and
// Jordan 2006): what VariationalDp is compared with.
//
//   Fit fit = coppice::fit(points, BleiJordan{.truncation = 20, .family = "gaussian", .seed = 7});

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

struct BleiJordan {
  static constexpr MethodFacts facts{"bj",
                                     "BleiJordan",
                                     "truncated variational Dirichlet process mixture, from many starts",
                                     variational_bound,
                                     {.sparse = true, .weights = true, .probabilities = true, .density = true}};
  static constexpr std::string_view name = facts.name;

  KRange truncation = 20;
  std::string family = "auto";
  double alpha1 = 1.0;
  double alpha2 = 1.0;
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
  std::uint64_t restarts = 20;
  std::uint64_t max_iterations = 1000;
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, BleiJordan>
void describe(Self& o, Visit&& visit) {
  visit("truncation", o.truncation, Range::at_least(1),
        "components of the mixture, or a range A..B of which the best is kept; rows may use fewer");
  describe_sticks(o, visit,
                  "what a cluster looks like; auto takes bernoulli for columns of 0 and 1, multinomial for "
                  "sparse counts, and gaussian for all others (student and uninformative clusters are refused)");
  visit("alpha2", o.alpha2, Range::stick(), "the second number of that: larger favours more clusters");
  visit("prior", o.prior, Choices{{"auto", "paper"}},
        "rule for the parameters below that are not given by hand: auto fits them to the best mixture, and goes on "
        "from there; paper takes clusters of a tenth of the data's covariance");
  describe_stick_priors(o, visit);
  describe_sharing(o, visit);
  visit("init", o.init, AnyTable{"a label per row, or a row per centre"}, "where to start instead of random passes");
  visit("restarts", o.restarts, Range::at_least(1),
        "starts: one pass over the rows (or leaves) each, in random order; the best is kept");
  visit("max_iterations", o.max_iterations, Range::at_least(1), "iterations at most, per start");
  visit("seed", o.seed, Range::at_least(0), "random seed: the same seed gives the same result");
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const BleiJordan& method, const RunOptions& run = {});

// The free energy where every row belongs to one component: -log p(data, labels) of a given labelling.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const BleiJordan& method,
                           const RunOptions& run = {});

}  // namespace coppice
