// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a fit is asked to end early: by its caller (std::stop_token), by a signal handler (an atomic flag), by a
// deadline, or by its observer. Loops look at the signal often enough for a fit to end within a second and to hand back
// the best model so far.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace coppice {

enum class StopReason : std::uint8_t { converged, iteration_limit, time_limit, cancelled };

[[nodiscard]] constexpr std::string_view to_string(StopReason reason) noexcept {
  switch (reason) {
    case StopReason::converged:
      return "converged";
    case StopReason::iteration_limit:
      return "iteration_limit";
    case StopReason::time_limit:
      return "time_limit";
    case StopReason::cancelled:
      return "cancelled";
  }
  return "cancelled";
}

class StopSignal {
 public:
  using Clock = std::chrono::steady_clock;

  StopSignal() = default;
  StopSignal(std::stop_token token, const std::atomic<bool>* interrupted, std::optional<Clock::time_point> deadline)
      : token_(std::move(token)), interrupted_(interrupted), deadline_(deadline) {}

  // Why the work should end, if it should.
  [[nodiscard]] std::optional<StopReason> reason() const noexcept;

  [[nodiscard]] std::optional<Clock::time_point> deadline() const noexcept { return deadline_; }

  // The same requests, each heeded so much later: the time to finish what there is. A deadline moves; the time of a
  // cancellation counts from when this signal is first asked after it.
  [[nodiscard]] StopSignal later(Clock::duration by) const;

 private:
  struct Patience {
    Clock::duration by{};
    std::atomic<Clock::rep> first_heard{0};
  };

  // Of a cancellation that was heard of: whether its time has come.
  [[nodiscard]] bool is_heeded() const noexcept;

  std::stop_token token_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::optional<Clock::time_point> deadline_;
  std::shared_ptr<Patience> patience_;
};

// Unwinds out of a loop that was asked to stop. A fit keeps it to itself and returns the last complete state; it leaves
// a fit that has none yet.
class Stopped final : public std::exception {
 public:
  explicit Stopped(StopReason reason) noexcept : reason_(reason) {}
  [[nodiscard]] StopReason reason() const noexcept { return reason_; }
  [[nodiscard]] const char* what() const noexcept override { return "the fit was asked to stop"; }

 private:
  StopReason reason_;
};

inline void throw_if_stopped(const StopSignal& stop) {
  if (const auto reason = stop.reason()) throw Stopped(*reason);
}

}  // namespace coppice
