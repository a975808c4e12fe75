// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// k-means: a given number of centres, every row with the nearest one, every centre the mean of its rows.
//
//   Fit fit = coppice::fit(points, KMeans{.k = 10, .seed = 7});

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

struct KMeans {
  static constexpr MethodFacts facts{"kmeans",
                                     "KMeans",
                                     "k-means: exact Lloyd iterations, as fast as the data allows",
                                     summed_squares,
                                     {.weights = true}};
  static constexpr std::string_view name = facts.name;

  KRange k = 8;
  std::string criterion = "bic";
  std::string seeding = "kmeans++";
  std::uint64_t seeding_candidates = 0;
  std::uint64_t chain_length = 200;
  std::optional<Table> init = {};
  std::string assign = "auto";
  std::uint64_t restarts = 1;
  std::uint64_t max_iterations = 300;
  std::uint64_t seed = 0;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, KMeans>
void describe(Self& o, Visit&& visit) {
  visit("k", o.k, Range::at_least(1), "number of clusters, or a range of numbers A..B to choose from");
  visit("criterion", o.criterion, Choices{{"bic", "silhouette"}}, "what chooses from a range of numbers");
  describe_seeding(o, visit);
  visit("assign", o.assign, Choices{{"auto", "naive", "kdtree", "bounds"}},
        "how rows find their centre: all of them, by a kd-tree, or by distance bounds (12 or more bytes per row); the "
        "labels are the same");
  describe_runs(o, visit);
}

// OptionError if the options do not fit the data; never an error because of a stop, which returns the best so far.
[[nodiscard]] Fit fit(const Dataset& data, const KMeans& method, const RunOptions& run = {});

// The sum of squared distances from the means of a given labelling.
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const KMeans& method,
                           const RunOptions& run = {});

}  // namespace coppice
