// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "coppice/infer/state.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/ticker.hpp"

namespace coppice::cli {

// How far it is to the end, where that is known.
struct ProgressLimits {
  std::optional<double> seconds = {};        // in all
  std::optional<std::uint64_t> sweeps = {};  // of the fit
  bool is_tree = false;                      // all clusters are merged
};

// One line on standard error that says how far the command is and for how long it has been at work; its clock moves by
// itself. Removed when it ends. Where standard error is no terminal: a line now and then.
class ProgressLine {
 public:
  // mode: always, never, or auto, which means "only on a terminal".
  explicit ProgressLine(const std::string& mode);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void set_limits(const ProgressLimits& limits);

  // What is being done: "reading points.csv".
  void begin(std::string what);
  // Words before what follows, such as "resample 3 of 20: ".
  void set_stage(std::string stage);
  Next show(const Progress& progress);

  // Lets something else be written to standard error, with the line out of the way.
  void make_room_for(const std::function<void()>& write);
  // Removes the line for good, before the result is printed.
  void end();

 private:
  void update();  // with the mutex held
  void draw(double now);
  void remove();
  [[nodiscard]] std::string text(double now) const;

  const bool is_on_terminal_;
  bool is_shown_;
  const internal::Stopwatch since_start_;
  std::mutex mutex_;  // of all that follows: the clock draws as well
  bool has_line_ = false;
  bool is_news_ = false;  // something that a log should have at once
  double last_drawn_ = 0.0;
  ProgressLimits limits_;
  std::string stage_;
  std::string what_;
  std::optional<Progress> progress_;
  std::optional<internal::Ticker> clock_;  // ends first
};

}  // namespace coppice::cli
