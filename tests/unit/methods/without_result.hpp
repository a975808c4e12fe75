// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "coppice/methods/fit.hpp"

namespace coppice {

// Why a fit ended without a result, if it did.
template <class Method>
std::optional<StopReason> without_result(const Dataset& data, const Method& method, const RunOptions& run) {
  try {
    (void)fit(data, method, run);
    return std::nullopt;
  } catch (const Stopped& stopped) {
    return stopped.reason();
  }
}

}  // namespace coppice
