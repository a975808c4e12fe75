// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "coppice/data/transform.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice::cli {

// Fits to the table as the transforms leave it; the model takes the table as it was.
template <class Method>
Fit fit_transformed(const Dataset& data, const std::vector<TransformSpec>& steps, const Method& method,
                    RunOptions options) {
  const Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(options.threads), stop_signal(options));
  const FittedTransforms ready = fit_transforms(local.get(), steps, data, method.seed);
  const double seconds = watch.seconds();
  if (options.time_limit) options.time_limit = std::max(least_time_limit, *options.time_limit - seconds);
  Fit result = fit(ready.data, method, options);
  result.model = result.model.with_transforms(ready.chain);
  result.seconds.prepare += seconds;
  result.warnings.insert(result.warnings.begin(), ready.warnings.begin(), ready.warnings.end());
  return result;
}

}  // namespace coppice::cli
