// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/stop.hpp"

namespace coppice {

std::optional<StopReason> StopSignal::reason() const noexcept {
  const bool is_cancelled = token_.stop_requested() || (interrupted_ != nullptr && interrupted_->load());
  if (is_cancelled && is_heeded()) return StopReason::cancelled;
  if (deadline_ && Clock::now() >= *deadline_) return StopReason::time_limit;
  return std::nullopt;
}

bool StopSignal::is_heeded() const noexcept {
  if (!patience_) return true;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep heard = 0;
  // The first thread to hear of it sets the time for all.
  if (patience_->first_heard.compare_exchange_strong(heard, now)) heard = now;
  return now - heard >= patience_->by.count();
}

StopSignal StopSignal::later(Clock::duration by) const {
  StopSignal signal = *this;
  if (deadline_) signal.deadline_ = *deadline_ + by;
  signal.patience_ = std::make_shared<Patience>();
  signal.patience_->by = by;
  return signal;
}

}  // namespace coppice
