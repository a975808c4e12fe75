// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The work of `coppice fit`, with a line that says how far it is.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "coppice/data/transform.hpp"
#include "coppice/methods/stability.hpp"
#include "fit_transformed.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "text_table.hpp"

namespace coppice::cli {

// What a fit takes at most, where its options say so.
template <class Method>
ProgressLimits limits_of(const Method& method, const RunOptions& options) {
  ProgressLimits limits{.seconds = options.time_limit};
  if constexpr (requires {
                  method.k.is_one();
                  method.max_iterations;
                }) {
    if (method.k.is_one() && method.restarts == 1) limits.sweeps = method.max_iterations;
  }
  limits.is_tree = requires { method.height; }
  || requires { method.look_ahead; };
  return limits;
}

// The fit, and if asked for how stable it is, in the time and until the signal that end both.
template <class Method>
class FitWork {
 public:
  FitWork(const Dataset& data, const std::vector<TransformSpec>& steps, const Method& method, const RunOptions& options,
          Session& session)
      : data_(data), steps_(steps), method_(method), options_(options), session_(session) {}

  [[nodiscard]] Fit fit(ProgressLine& progress) const {
    const std::string shape = fmt::format("{} x {}", with_commas(data_.n_rows()), with_commas(data_.n_columns()));
    progress.begin(steps_.empty() ? fmt::format("preparing {}", shape)
                                  : fmt::format("transforming {} ({})", shape, to_string(steps_)));
    return refit(data_, progress);
  }

  [[nodiscard]] Stability stability(const Fit& fit, std::uint64_t n_resamples, ProgressLine& progress) const {
    const auto refit_rows = [&](const Dataset& rows) { return refit(rows, progress); };
    const auto name_stage = [&](std::size_t resample) {
      progress.set_stage(fmt::format("resample {} of {}: ", resample + 1, n_resamples));
    };
    return coppice::stability(data_, fit, refit_rows,
                              {.resamples = n_resamples, .seed = method_.seed, .progress = name_stage},
                              session_.limited(options_));
  }

 private:
  [[nodiscard]] Fit refit(const Dataset& rows, ProgressLine& progress) const {
    RunOptions options = session_.limited(options_);
    options.observer = [&](const State& state) { return progress.show(state); };
    options.on_result = [this] { session_.keep_result(); };
    return fit_transformed(rows, steps_, method_, options);
  }

  const Dataset& data_;
  const std::vector<TransformSpec>& steps_;
  const Method& method_;
  const RunOptions& options_;
  Session& session_;
};

}  // namespace coppice::cli
