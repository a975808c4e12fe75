// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How sure a clustering is: whether its clusters, and their number, come back when other rows could have been seen.
// The fit is repeated on random weightings of the rows (data/bootstrap.hpp), and its clusters are looked up among those
// of every repetition. It works with any method:
//
//   const BayesianKMeans method{.seed = 7};
//   const Fit found = fit(points, method);
//   const Stability again = stability(points, found, [&](const Dataset& rows) { return fit(rows, method); });
//   again.clusters[0].recurrence;

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/runtime/stop.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

// Repeats a fit on the same rows with other weights. Rows of weight 0 need a label too, that of the model's predict.
using Refit = std::function<Fit(const Dataset& rows)>;

struct StabilityOptions {
  std::uint64_t resamples = 20;
  std::uint64_t seed = 0;
  std::function<void(std::size_t resample)> progress = {};  // called before each resample, counted from 0
};

struct ClusterStability {
  double recurrence = 0.0;  // Jaccard similarity with the most similar cluster of a resample, on average (Hennig 2007)
  double found = 0.0;       // share of the resamples in which that is at least 0.75
};

// Averages over the resamples; rows count with the weights they have in the data.
struct Stability {
  std::size_t resamples = 0;                         // those that the figures come from
  std::map<std::size_t, std::size_t> k_counts = {};  // number of clusters -> in how many resamples
  double ari = 0.0;                                  // adjusted Rand index of the fit and a resample
  std::vector<ClusterStability> clusters = {};       // one per cluster of the fit
  std::vector<double> together = {};                 // K x K, row by row: see together_of
  StopReason stop_reason = StopReason::converged;    // other than that: not all resamples were made
  std::vector<Text> warnings = {};

  // The probability that a row of cluster a and one of cluster b, drawn independently, share a cluster in a resample;
  // with a = b, how well a cluster holds together. Not known for more than most_clusters_together clusters.
  [[nodiscard]] double together_of(std::size_t a, std::size_t b) const { return together[a * clusters.size() + b]; }
  static constexpr std::size_t most_clusters_together = 500;
};

// OptionError unless there is at least one resample. A resample that cannot be fitted (Error) is left out, and a
// warning says why; a request to stop ends the function with the resamples made so far. `run` counts for this
// function's own work; the fits bring theirs.
[[nodiscard]] Stability stability(const Dataset& data, const Fit& fit, const Refit& refit,
                                  const StabilityOptions& options = {}, const RunOptions& run = {});

}  // namespace coppice
