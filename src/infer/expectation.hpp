// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One pass over all units in which every cluster takes its share of every unit: the expectation step of EM, which
// leaves behind what the maximization step needs.

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/portion.hpp"
#include "coppice/assign/units.hpp"
#include "coppice/family/components.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

struct Expectation {
  StatsArena stats;             // of every cluster, units counted with its shares in them; a cluster may be empty
  double log_likelihood = 0.0;  // of the clusters that the shares come from
  std::uint64_t distances = 0;
  std::vector<std::int32_t> labels = {};  // the cluster of each unit's largest share, if asked for; ties unsettled
};

// What a row's share in a cluster goes by: the predictive density (for point-estimated families the density itself), or
// the expected log density, minus the cost, as in variational Bayes.
enum class Densities : std::uint8_t { predictive, expected };

struct ExpectationOptions {
  Densities densities = Densities::predictive;
  bool gives_labels = false;
  std::size_t n_unlabelled = 0;  // of the clusters, the last ones: no unit has their label
  Portion portion = {};          // what is shared out; no units: all, by their weights
};

// `log_weights` are the logarithms of the clusters' weights in the mixture, or their expectations. Summaries and nodes
// of a front always go by their cost. The bits of the result do not depend on the number of threads.
[[nodiscard]] Expectation expectation(const Execution& execution, const Units& units, const Components& clusters,
                                      std::span<const double> log_weights, const ExpectationOptions& options = {});

// Whether a pass over so many clusters takes long enough to be cut short. The next one would be, too: the labels that
// this one gives along the way are the clustering that there is then.
[[nodiscard]] bool takes_long(const Units& units, const Components& family, std::size_t k);

}  // namespace coppice::internal
