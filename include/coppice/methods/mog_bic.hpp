// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian mixtures by maximum likelihood that find their own number of clusters: splits and merges decided by BIC.
//
//   Fit fit = coppice::fit(points, MixtureByBic{.max_k = 20, .seed = 7});
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

struct MixtureByBic {
  static constexpr MethodFacts facts{
      "mog-bic",
      "GaussianMixtureBIC",
      "Gaussian mixture by maximum likelihood that finds its own number of clusters: BIC",
      bayesian_information,
      {.weights = true, .probabilities = true, .density = true}};
  static constexpr std::string_view name = facts.name;

  std::optional<std::uint64_t> k = {};
  std::optional<std::uint64_t> max_k = {};
  std::string family = "gaussian";
  double floor = 1e-6;
  double tolerance = 1e-6;
  std::string assign = "auto";
  std::optional<Table> init = {};
  std::uint64_t restarts = 1;
  std::uint64_t max_iterations = 10000;
  std::optional<double> min_size = {};
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, MixtureByBic>
void describe(Self& o, Visit&& visit) {
  describe_number(o, visit);
  visit("family", o.family, Choices{{"spherical", "diagonal", "gaussian"}},
        "what a cluster looks like: one variance, one per column, or a full covariance");
  visit("floor", o.floor, Range::positive(),
        "least variance of a cluster in any direction, as a share of the columns' variances");
  describe_sharing(o, visit);
  describe_start(o, visit);
  visit(
      "min_size", o.min_size, Range::at_least(0),
      "no cluster lighter than this many rows (default: 2, or one more than there are columns with full covariances)");
  visit("seed", o.seed, Range::at_least(0), "random seed: the same seed gives the same result");
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const MixtureByBic& method, const RunOptions& run = {});

// The criterion where every row belongs to the cluster of its label alone: -log p(data, labels) + (p / 2) log N.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const MixtureByBic& method,
                           const RunOptions& run = {});

}  // namespace coppice
