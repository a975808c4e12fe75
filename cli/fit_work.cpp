// SPDX-License-Identifier: BSD-3-Clause
#include "fit_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "method_choice.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

// Fits to the table as the transforms leave it; the model takes the table as it was.
Fit fit_transformed(const Dataset& data, const std::vector<TransformSpec>& steps, const AnyMethod& method,
                    RunOptions options) {
  const Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(options.threads), stop_signal(options));
  const FittedTransforms ready = fit_transforms(local.get(), steps, data, seed_of(method));
  const double seconds = watch.seconds();
  if (options.time_limit) options.time_limit = std::max(least_time_limit, *options.time_limit - seconds);
  Fit result = method.fit(ready.data, options);
  result.model = result.model.with_transforms(ready.chain);
  result.seconds.prepare += seconds;
  result.warnings.insert(result.warnings.begin(), ready.warnings.begin(), ready.warnings.end());
  return result;
}

}  // namespace

ProgressLimits limits_of(const AnyMethod& method, const RunOptions& options) {
  ProgressLimits limits{.seconds = options.time_limit};
  const Options& values = method.options();
  if (values.has("k") && values.has("restarts") && values.has("max_iterations")) {
    const OptionValue k = values.get("k");
    const KRange* range = std::get_if<KRange>(&k);
    const bool runs_once = range != nullptr && range->is_one() && std::get<std::uint64_t>(values.get("restarts")) == 1;
    if (runs_once) limits.sweeps = std::get<std::uint64_t>(values.get("max_iterations"));
  }
  limits.is_tree = method.facts().capabilities.tree;
  return limits;
}

Fit FitWork::fit(ProgressLine& progress) const {
  const std::string shape = fmt::format("{} x {}", with_commas(data_.n_rows()), with_commas(data_.n_columns()));
  progress.begin(steps_.empty() ? fmt::format("preparing {}", shape)
                                : fmt::format("transforming {} ({})", shape, to_string(steps_)));
  return refit(data_, progress);
}

Stability FitWork::stability(const Fit& fit, std::uint64_t n_resamples, ProgressLine& progress) const {
  const auto refit_rows = [&](const Dataset& rows) { return refit(rows, progress); };
  const auto name_stage = [&](std::size_t resample) {
    progress.set_stage(fmt::format("resample {} of {}: ", resample + 1, n_resamples));
  };
  return coppice::stability(data_, fit, refit_rows,
                            {.resamples = n_resamples, .seed = seed_of(method_), .progress = name_stage},
                            session_.limited(options_));
}

Fit FitWork::refit(const Dataset& rows, ProgressLine& progress) const {
  RunOptions options = session_.limited(options_);
  options.progress = [&](const Progress& at) { return progress.show(at); };
  options.on_result = [this] { session_.keep_result(); };
  return fit_transformed(rows, steps_, method_, options);
}

}  // namespace coppice::cli
