// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/write/summary.hpp"

namespace coppice::cli {

// What `fit` prints: how many groups, how big, how sure (where the method knows), and what sets them apart.
[[nodiscard]] std::string describe_fit(const Fit& fit, const Dataset& data, const internal::SummaryContext& context);

// A line on which columns the means of a model are of, if it has transforms; empty if not.
[[nodiscard]] std::string means_line(const Model& model);

}  // namespace coppice::cli
