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

#include "coppice/data/dataset.hpp"
#include "coppice/evaluate/recurrence.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice {

// Repeats a fit on the same rows with other weights. Rows of weight 0 need a label too, that of the model's predict.
using Refit = std::function<Fit(const Dataset& rows)>;

struct StabilityOptions {
  std::uint64_t resamples = 20;
  std::uint64_t seed = 0;
  std::function<void(std::size_t resample)> progress = {};  // called before each resample, counted from 0
};

// OptionError unless there is at least one resample. A resample that cannot be fitted (Error) is left out, and a
// warning says why; a request to stop ends the function with the resamples made so far. `run` counts for this
// function's own work; the fits bring theirs.
[[nodiscard]] Stability stability(const Dataset& data, const Fit& fit, const Refit& refit,
                                  const StabilityOptions& options = {}, const RunOptions& run = {});

}  // namespace coppice
