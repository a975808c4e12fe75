// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian mixtures by maximum likelihood: EM, with a share of every cluster in every row, or its hard variant, in
// which every row belongs to one cluster. With `map`, at the mode of the posterior instead.
//
//   Fit fit = coppice::fit(points, GaussianMixtureEm{.k = 10, .family = "diagonal", .seed = 7});
//   fit.criteria.at("bic");

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

struct GaussianMixtureEm {
  static constexpr MethodFacts facts{"gmm",
                                     "GaussianMixture",
                                     "Gaussian mixture by maximum likelihood: EM, soft or hard",
                                     minus_log_likelihood,
                                     {.weights = true, .probabilities = true, .density = true}};
  static constexpr std::string_view name = facts.name;

  // What these options make small.
  [[nodiscard]] constexpr Objective objective() const noexcept {
    if (map) return hard ? density_of_labels_and_parameters : density_of_parameters;
    return hard ? evidence_of_labels : minus_log_likelihood;
  }

  KRange k = 8;
  std::string family = "gaussian";
  bool shared_variance = false;
  bool equal_shares = false;
  bool hard = false;
  bool map = false;
  std::optional<double> phi0 = {};
  std::optional<double> xi0 = {};
  std::optional<double> eta0 = {};
  std::optional<Table> m0 = {};
  std::optional<Table> b0 = {};
  double floor = 1e-6;
  double tolerance = 1e-6;
  std::string seeding = "kmeans++";
  std::uint64_t seeding_candidates = 0;
  std::uint64_t chain_length = 200;
  std::optional<Table> init = {};
  std::string assign = "auto";
  std::uint64_t restarts = 1;
  std::uint64_t max_iterations = 1000;
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, GaussianMixtureEm>
void describe(Self& o, Visit&& visit) {
  visit("k", o.k, Range::at_least(1), "number of clusters, or a range of numbers A..B from which BIC chooses");
  visit("family", o.family, Choices{{"spherical", "diagonal", "gaussian"}},
        "what a cluster looks like: one variance, one per column, or a full covariance");
  visit("shared_variance", o.shared_variance, "one covariance for all clusters (not with {hard})");
  visit("equal_shares", o.equal_shares, "all clusters have the share 1/k, instead of their part of the rows");
  visit("hard", o.hard, "every row belongs to one cluster, instead of having a share in all");
  visit("map", o.map,
        "parameters of greatest posterior density under a Normal-Wishart and a Dirichlet prior, instead of greatest "
        "likelihood (gaussian, one k; the floor is not needed)");
  visit("phi0", o.phi0, Range::at_least(1), "{map}: pseudo-count of every cluster, at least 1 (default 2)");
  visit("xi0", o.xi0, Range::pseudo_count(), "{map}: pseudo-count of the prior mean (default 0.1)");
  visit("eta0", o.eta0, Range::pseudo_count(),
        "{map}: degrees of freedom of the prior precision (default: the number of columns)");
  visit("m0", o.m0, AnyTable{"one row"}, "{map}: prior mean (default: the data's mean)");
  visit("b0", o.b0, AnyTable{"columns x columns"},
        "{map}: prior inverse scale matrix (default: small distances, shaped as the data)");
  visit("floor", o.floor, Range::at_least(0),
        "least variance of a cluster in any direction, as a share of the columns' variances");
  visit("tolerance", o.tolerance, Range::at_least(0),
        "stop when an iteration raises the log-likelihood per row by no more than this (not with {hard})");
  describe_seeding(o, visit);
  visit("assign", o.assign, Choices{{"auto", "naive", "kdtree"}},
        "naive: every row with every cluster; kdtree: nodes of a tree at once, exact with {hard}, else approximate "
        "(the rows of a leaf share alike); auto: always exact");
  describe_runs(o, visit);
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const GaussianMixtureEm& method, const RunOptions& run = {});

// -log p(data, labels) of a given labelling, at the parameters that fit it best.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const GaussianMixtureEm& method,
                           const RunOptions& run = {});

}  // namespace coppice
