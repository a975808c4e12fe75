// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "coppice/methods/fit.hpp"
#include "coppice/runtime/end_watch.hpp"

namespace coppice::cli {

// Exit code of a command that was interrupted, whether or not there was something to write.
inline constexpr int interrupted_exit_code = 130;

// One run of the program: its clock, who may end it, and the exit code that main ends with.
class Session {
 public:
  Session();

  // From the start of the program on; a command with nothing to show by then ends without a result.
  void set_time_limit(double seconds);
  // Beside what was asked for: what is left of the time, and the flag of Ctrl-C.
  [[nodiscard]] RunOptions limited(RunOptions options) const;
  // Says why, and returns the exit code.
  int end_without_result(StopReason reason) const;
  // Work has begun that may be asked to end with a result: it has a moment to come to one.
  void wait_for_result();
  // There is something to write now: the work is asked to end, no longer cut off.
  void keep_result() noexcept { watch_.keep_result(); }

  int exit_code = 0;

 private:
  std::optional<double> time_limit_;
  internal::EndWatch watch_;
};

}  // namespace coppice::cli
