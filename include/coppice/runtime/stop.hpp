// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a fit is asked to end early: by its caller (std::stop_token), by a signal handler (an atomic flag), by a
// deadline, or by its observer. Block loops look at the signal, so that a fit ends within a second and hands back the
// best model so far.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
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
  [[nodiscard]] std::optional<StopReason> reason() const noexcept {
    if (token_.stop_requested() || (interrupted_ != nullptr && interrupted_->load())) return StopReason::cancelled;
    if (deadline_ && Clock::now() >= *deadline_) return StopReason::time_limit;
    return std::nullopt;
  }

 private:
  std::stop_token token_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::optional<Clock::time_point> deadline_;
};

// Unwinds out of a block loop that was asked to stop. It never leaves a fit: the last complete state is the result.
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
