// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the clusters of hard labels on, by the soft bound (infer/soft_bound.hpp): the currency in which families and
// numbers of clusters compare. Hard labels pay for the entropy of the labels, so that by their objective clusters that
// overlap are taken for one where rows are few, and are cut into pieces where they are many.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "coppice/structure/adjustable_prior.hpp"
#include "coppice/structure/auto_search.hpp"

namespace coppice::internal {

// Clusters that are held at the limit of sizes are mostly a few rows that lie close by chance: what holds must be worth
// so much more than what does without, in nats per row.
inline constexpr double gain_of_held = 0.1;

// Clusters with the prior under which the bound holds.
struct SoftFound {
  StatsArena stats;  // rows counted with their shares
  double bound = 0.0;
  std::vector<double> values;  // of the prior's numbers
  std::unique_ptr<Components> components;
};

// A few steps: close to the bound of these clusters, and above it.
[[nodiscard]] double soft_bound_near(const Execution& execution, const SearchGround& ground, const Found& found);

// Who follows a search: told of every step that is taken, and of the bounds that moves would lead to.
struct SoftWatch {
  const char* iterations = "vb";  // what many of them are called as one step
  std::function<void(const SoftFound& now, const char* phase)> on_step = {};
  std::function<void(std::size_t k, double bound)> on_trial = {};
};

// Merges of two clusters, splits of one, and fits of the prior while they lower the bound; with a fixed K, a merge and
// a split elsewhere at a time. Units must be rows.
[[nodiscard]] SoftFound search_softly(const Execution& execution, const SearchGround& ground,
                                      const AdjustablePrior& prior, const Found& found,
                                      const AutoSearchOptions& options, const SoftWatch& watch = {});

}  // namespace coppice::internal
