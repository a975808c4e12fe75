// SPDX-License-Identifier: BSD-3-Clause
#include "methods/planned_fit.hpp"

#include "coppice/structure/labelling_score.hpp"

namespace coppice::internal {

double planned_score(const Dataset& data, std::span<const std::int32_t> labels, const MixtureSpec& spec,
                     const RunOptions& run) {
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const MixturePlan plan = make_plan(local.get(), spec, ready_rows(local.get(), spec, data).rows);
  return score_labelling(local.get(), plan, labels);
}

}  // namespace coppice::internal
