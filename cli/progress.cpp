// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace coppice::cli {

namespace {

constexpr double seconds_between_updates = 0.1;

}  // namespace

ProgressLine::ProgressLine(const std::string& mode)
    : is_shown_(mode == "always" || (mode == "auto" && isatty(STDERR_FILENO) != 0)),
      is_on_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (has_written_ && is_on_terminal_) fmt::print(stderr, "\r\033[K");
}

Next ProgressLine::show(const State& state) {
  const double now = since_start_.seconds();
  if (is_shown_ && now - last_shown_ >= seconds_between_updates) {
    last_shown_ = now;
    has_written_ = true;
    const Progress& at = state.progress;
    const std::string objective = std::isnan(at.objective)  // a tree has none on the way
                                      ? std::string{}
                                      : fmt::format(", sweep {:>5}, objective {:.1f}", at.iteration, at.objective);
    const std::string line = fmt::format("{}{:<9} {:>5} clusters{}, {:.1f} s", stage_, at.phase, at.k, objective, now);
    if (is_on_terminal_) {
      fmt::print(stderr, "\r\033[K{}", line);
    } else {
      fmt::print(stderr, "{}\n", line);
    }
    std::fflush(stderr);
  }
  return Next::carry_on;
}

}  // namespace coppice::cli
