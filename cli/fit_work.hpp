// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The work of `coppice fit`, with a line that says how far it is.

#include <cstdint>
#include <vector>

#include "coppice/data/transform.hpp"
#include "coppice/methods/catalogue.hpp"
#include "coppice/methods/stability.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace coppice::cli {

// What a fit takes at most, where its options say so.
[[nodiscard]] ProgressLimits limits_of(const AnyMethod& method, const RunOptions& options);

// The fit, and if asked for how stable it is, in the time and until the signal that end both.
class FitWork {
 public:
  FitWork(const Dataset& data, const std::vector<TransformSpec>& steps, const AnyMethod& method,
          const RunOptions& options, Session& session)
      : data_(data), steps_(steps), method_(method), options_(options), session_(session) {}

  [[nodiscard]] Fit fit(ProgressLine& progress) const;
  [[nodiscard]] Stability stability(const Fit& fit, std::uint64_t n_resamples, ProgressLine& progress) const;

 private:
  [[nodiscard]] Fit refit(const Dataset& rows, ProgressLine& progress) const;

  const Dataset& data_;
  const std::vector<TransformSpec>& steps_;
  const AnyMethod& method_;
  const RunOptions& options_;
  Session& session_;
};

}  // namespace coppice::cli
