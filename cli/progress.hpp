// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "coppice/infer/state.hpp"
#include "coppice/runtime/clock.hpp"

namespace coppice::cli {

// One line on standard error that says how far the fit is; removed when it ends.
class ProgressLine {
 public:
  // mode: always, never, or auto, which means "only on a terminal".
  explicit ProgressLine(const std::string& mode);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  // Words before what follows, such as "resample 3 of 20: ".
  void set_stage(std::string stage) { stage_ = std::move(stage); }
  Next show(const State& state);

 private:
  bool is_shown_;
  bool is_on_terminal_;
  bool has_written_ = false;
  Stopwatch since_start_;
  double last_shown_ = -1.0;
  std::string stage_;
};

}  // namespace coppice::cli
