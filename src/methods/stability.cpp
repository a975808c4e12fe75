// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/stability.hpp"

#include <fmt/format.h>

#include "coppice/data/bootstrap.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice {
using namespace internal;

namespace {

// What was cut short is not what the method would have found.
void throw_if_cut_short(const Fit& refitted) {
  const StopReason reason = refitted.stop_reason;
  if (reason == StopReason::cancelled || reason == StopReason::time_limit) throw Stopped(reason);
}

class Resampling {
 public:
  Resampling(const Dataset& data, const Fit& fit, const Refit& refit, const StabilityOptions& options)
      : data_(data), refit_(refit), options_(options), tally_(data, fit.labels, fit.model.k()) {}

  void run(const RunOptions& run) {
    try {
      const StopSignal stop = stop_signal(run);
      const Bootstrap bootstrap = bootstrap_of(run, stop);
      for (std::uint64_t resample = 0; resample < options_.resamples; ++resample) {
        throw_if_stopped(stop);
        if (options_.progress) options_.progress(static_cast<std::size_t>(resample));
        add(resample, data_.with_weights(bootstrap.weights(options_.seed, resample)));
      }
    } catch (const Stopped& stopped) {
      stop_reason_ = stopped.reason();
    }
  }

  [[nodiscard]] Stability result() const {
    Stability result = tally_.result();
    result.stop_reason = stop_reason_;
    if (stop_reason_ != StopReason::converged) {
      result.warnings.push_back(fmt::format("stability: stopped early ({}) after {} of {}", to_string(stop_reason_),
                                            result.resamples, counted(options_.resamples, "resample")));
    }
    if (n_failed_ > 0) {
      result.warnings.push_back(format_text("stability: {} of {} could not be fitted ({})", n_failed_,
                                            counted(options_.resamples, "resample"), first_failure_));
    }
    return result;
  }

 private:
  // The threads end with this: the fits have their own.
  [[nodiscard]] Bootstrap bootstrap_of(const RunOptions& run, const StopSignal& stop) const {
    LocalExecution local(static_cast<std::size_t>(run.threads), stop);
    return {local.get(), data_};
  }

  void add(std::uint64_t resample, const Dataset& rows) {
    try {
      const Fit refitted = refit_(rows);
      throw_if_cut_short(refitted);
      tally_.add(refitted.labels, refitted.model.k());
    } catch (const Error& error) {
      if (n_failed_++ == 0) first_failure_ = format_text("resample {}: {}", resample + 1, error.text());
    }
  }

  const Dataset& data_;
  const Refit& refit_;
  const StabilityOptions& options_;
  RecurrenceTally tally_;
  StopReason stop_reason_ = StopReason::converged;
  std::size_t n_failed_ = 0;
  Text first_failure_;
};

}  // namespace

Stability stability(const Dataset& data, const Fit& fit, const Refit& refit, const StabilityOptions& options,
                    const RunOptions& run) {
  check_options(run);
  check_option("stability", static_cast<double>(options.resamples), Range::at_least(1));
  Resampling resampling(data, fit, refit, options);
  resampling.run(run);
  return resampling.result();
}

}  // namespace coppice
