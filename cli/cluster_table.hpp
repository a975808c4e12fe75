// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "coppice/methods/fit.hpp"
#include "coppice/methods/stability.hpp"

namespace coppice::cli {

// A line per cluster: how big, how sure (where the method knows), how stable (if asked for), where, and which columns
// set it apart. No wider than the terminal, as far as that can be had by showing fewer columns.
[[nodiscard]] std::string cluster_table(const Fit& fit, const std::optional<Stability>& stability);

}  // namespace coppice::cli
