// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "coppice/methods/stability.hpp"

namespace coppice::cli {

// How often the number of clusters came back, and which clusters became one; for a fit of k clusters.
[[nodiscard]] std::string stability_lines(const Stability& stability, std::size_t k);

}  // namespace coppice::cli
