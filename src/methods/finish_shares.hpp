// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From clusters that share rows to what a fit gives back.

#include <string_view>
#include <vector>

#include "coppice/infer/me.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice::internal {

// Clusters by size; the statistics and the objective are those of the shares, the labels follow from them. Where the
// fit was cut short and its iterations take long, so would labels: those of the last iteration are taken. The execution
// is one for finishing.
[[nodiscard]] Fit finish_shares(std::string_view method, const Execution& execution, const Rows& rows,
                                const Problem& problem, State state, StopReason reason);

// Where neighbouring rows could share alike and need not, and that would save much.
[[nodiscard]] std::vector<Text> shared_work_warnings(const Fit& fit, const Dataset& data);

}  // namespace coppice::internal
