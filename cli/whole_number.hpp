// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coppice::cli {

// What is wrong with a text that should be a whole number from 0 to 2^64 - 1; empty if nothing is. Option parsers clamp
// or cut what does not fit, and a seed that is silently another one cannot be found again.
[[nodiscard]] std::string unfit_whole_number(const std::string& text);

}  // namespace coppice::cli
