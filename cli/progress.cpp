// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "printable.hpp"
#include "terminal.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

constexpr double seconds_between_updates = 0.1;
constexpr double seconds_between_lines = 1.0;
constexpr std::chrono::milliseconds tick{100};

std::string clock_text(double now, const std::optional<double>& limit) {
  return limit ? fmt::format("{:.1f} of {:g} s", now, *limit) : fmt::format("{:.1f} s", now);
}

std::string state_text(const Progress& at, const ProgressLimits& limits) {
  std::string text = fmt::format("{}, {}", at.phase, with_commas(at.k, "cluster"));
  if (limits.is_tree) {
    text += fmt::format(", {} left", with_commas(at.k - 1, "merge"));
  } else {
    text += fmt::format(", sweep {}", at.iteration);
    if (limits.sweeps) text += fmt::format(" of at most {}", *limits.sweeps);
  }
  if (!std::isnan(at.objective))
    text += fmt::format(", objective {}", fixed_number(at.objective, 1));  // trees have none
  return text;
}

}  // namespace

ProgressLine::ProgressLine(const std::string& mode)
    : is_on_terminal_(isatty(STDERR_FILENO) != 0), is_shown_(mode == "always" || (mode == "auto" && is_on_terminal_)) {
  if (!is_shown_) return;
  clock_.emplace(tick, [this] {
    const std::lock_guard lock(mutex_);
    update();
  });
}

ProgressLine::~ProgressLine() { end(); }

void ProgressLine::end() {
  clock_.reset();
  is_shown_ = false;
  remove();
}

void ProgressLine::set_limits(const ProgressLimits& limits) {
  const std::lock_guard lock(mutex_);
  limits_ = limits;
}

void ProgressLine::begin(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  stage_.clear();
  progress_.reset();
  is_news_ = true;
  update();
}

void ProgressLine::set_stage(std::string stage) {
  const std::lock_guard lock(mutex_);
  if (stage_.empty()) is_news_ = true;
  stage_ = std::move(stage);
  what_.clear();
  progress_.reset();
  update();
}

Next ProgressLine::show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (!progress_ && stage_.empty()) is_news_ = true;
  progress_ = progress;
  update();
  return Next::carry_on;
}

void ProgressLine::make_room_for(const std::function<void()>& write) {
  const std::lock_guard lock(mutex_);
  remove();
  write();
}

// On a terminal nothing is shown of what is over at once.
void ProgressLine::update() {
  if (!is_shown_ || (what_.empty() && stage_.empty() && !progress_)) return;
  const double now = since_start_.seconds();
  const double pause = is_on_terminal_ ? seconds_between_updates : is_news_ ? 0.0 : seconds_between_lines;
  if (now - last_drawn_ < pause) return;
  last_drawn_ = now;
  is_news_ = false;
  draw(now);
}

void ProgressLine::draw(double now) {
  std::string line = text(now);
  if (const std::optional<std::size_t> width = terminal_width(Stream::error)) {
    line = clipped(line, *width - 1);  // a full line would be broken, and \r would not reach its beginning
  }
  const std::string bytes = is_on_terminal_ ? "\r\033[K" + line : line + "\n";
  std::fputs(bytes.c_str(), stderr);
  std::fflush(stderr);
  has_line_ = is_on_terminal_;
}

void ProgressLine::remove() {
  if (has_line_) std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  has_line_ = false;
}

// The clock comes first: of a line that is too long the end is cut off.
std::string ProgressLine::text(double now) const {
  const std::string doing = progress_ ? state_text(*progress_, limits_) : what_;
  return printable(fmt::format("{}  {}{}", clock_text(now, limits_.seconds), stage_, doing));
}

}  // namespace coppice::cli
