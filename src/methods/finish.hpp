// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From what inference leaves behind to what a fit gives back.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/infer/me.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice::internal {

// A fit with this model and these labels, and with the labels' probabilities if the family has a density and there is
// time. The execution is one for finishing.
[[nodiscard]] Fit with_model(std::string_view method, const Execution& execution, const Rows& rows,
                             const Problem& problem, StatsArena stats, double objective,
                             std::vector<std::int32_t> labels);

// The probabilities of the labels; a warning instead if there is no time for them.
void add_probabilities(const Execution& execution, const Dataset& data, Fit& fit);

// The same from a state's labels: clusters by size, statistics and objective recomputed from the labels in row order,
// so that the result depends on the labels alone (and, where members are weighed, on clusters that the state knows: it
// is not above the state's). If there is no time for that, they are the state's own, if it has statistics; Stopped
// otherwise.
[[nodiscard]] Fit finish_labels(std::string_view method, const Execution& execution, const Rows& rows,
                                const Problem& problem, const State& state);

// The evidence for the number of clusters that was found is the objective itself, to the last digit.
inline void note_objective(Fit& fit) { fit.k_evidence[fit.model.k()] = fit.model.objective(); }

inline void add_warnings(Fit& fit, const std::vector<Text>& warnings) {
  fit.warnings.insert(fit.warnings.end(), warnings.begin(), warnings.end());
}

// The journal of a fit: who watches the run, and so many iterations at most in every search.
[[nodiscard]] JournalOptions journal_of(const RunOptions& run,
                                        std::uint64_t max_iterations = std::numeric_limits<std::uint64_t>::max());
// What it says in the end, and why the fit ended.
void take_account(const Journal& journal, StopReason reason, const Execution& execution, Fit& fit);

}  // namespace coppice::internal
