// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all fits share between their options and their result.

#include <optional>

#include "coppice/methods/fit.hpp"

namespace coppice {

// Who may stop a fit: the caller, a signal handler, the clock.
[[nodiscard]] StopSignal stop_signal(const RunOptions& run);

}  // namespace coppice
