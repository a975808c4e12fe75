// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bayesian k-means: finds clusters and their number by minimizing -log p(data, labels), parameters integrated out.
//
//   Fit fit = coppice::fit(points, BayesianKMeans{.seed = 7});
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

struct BayesianKMeans {
  static constexpr MethodFacts facts{"bkm",
                                     "BayesianKMeans",
                                     "Bayesian k-means: k-means with covariances that finds its own number of clusters",
                                     evidence_of_labels,
                                     {.sparse = true, .weights = true, .probabilities = true, .density = true}};
  static constexpr std::string_view name = facts.name;

  std::optional<std::uint64_t> k = {};
  std::optional<std::uint64_t> max_k = {};
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
  std::string search = "auto";
  std::string assign = "auto";
  std::optional<Table> init = {};
  std::uint64_t restarts = 1;
  std::uint64_t max_iterations = 10000;
  double min_size = 0.0;
  bool outliers = false;
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, BayesianKMeans>
void describe(Self& o, Visit&& visit) {
  describe_number(o, visit);
  visit(
      "family", o.family,
      Choices{with_registered_families({"auto", "gaussian", "diagonal", "spherical", "student", "student-diagonal",
                                        "student-spherical", "multinomial", "bernoulli", "uninformative"})},
      "what a cluster looks like; auto takes bernoulli for columns of 0 and 1, multinomial for sparse counts, and lets "
      "gaussian, diagonal and spherical clusters and the same with heavy tails (student, ...) compete for all others");
  describe_partition(o, visit);
  describe_priors(o, visit);
  visit("search", o.search, Choices{{"auto", "paper"}},
        "how K is searched: auto tries splits inside clusters, paper follows the published algorithm");
  visit("assign", o.assign, Choices{{"auto", "naive", "kdtree"}},
        "how rows find their cluster: one by one, or whole nodes of a kd-tree at once; the labels are the same");
  describe_search(o, visit);
  visit("outliers", o.outliers,
        "rows that fit no cluster go to a uniform background, with the label -1 (Gaussian families)");
  visit("seed", o.seed, Range::at_least(0), "random seed: the same seed gives the same result");
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const BayesianKMeans& method, const RunOptions& run = {});

// The objective of a given labelling under the priors that the method would use, without fitting.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const BayesianKMeans& method,
                           const RunOptions& run = {});

}  // namespace coppice
