// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice::cli {

// What `fit` prints: how many groups, how big, how sure, and what sets them apart.
[[nodiscard]] std::string describe_fit(const Fit& fit, const Dataset& data,
                                       const std::map<std::string, double>& scores);

}  // namespace coppice::cli
