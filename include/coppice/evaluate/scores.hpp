// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All scores of a labelling against a truth, under the names that files and front ends use.

#include <map>
#include <string>

#include "coppice/evaluate/contingency.hpp"

namespace coppice::evaluate {

// ari, nmi, ami, purity
[[nodiscard]] std::map<std::string, double> label_scores(const Contingency& table);

}  // namespace coppice::evaluate
