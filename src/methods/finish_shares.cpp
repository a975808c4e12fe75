// SPDX-License-Identifier: BSD-3-Clause
#include "methods/finish_shares.hpp"

#include "coppice/infer/em.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/format_text.hpp"
#include "methods/finish.hpp"

namespace coppice::internal {

Fit finish_shares(std::string_view method, const Execution& execution, const Rows& rows, const Problem& problem,
                  State state, StopReason reason) {
  const std::vector<std::int32_t> place = order_by_size(problem.components, state.stats);
  StatsArena stats(state.k(), state.stats.stats_size());
  for (std::size_t c = 0; c < state.k(); ++c) stats.assign(static_cast<std::size_t>(place[c]), state.stats[c]);
  state.stats = std::move(stats);
  state.labels.renumber(place);
  // In the order of the model, which settles ties by the clusters' numbers as well.
  const bool is_cut_short = reason == StopReason::cancelled || reason == StopReason::time_limit;
  if (!is_cut_short || state.labels.size() == 0) label_softly(execution, problem, state);
  return with_model(method, execution, rows, problem, std::move(state.stats), state.objective, state.labels.by_row());
}

std::vector<Text> shared_work_warnings(const Fit& fit, const Dataset& data) {
  constexpr double many_pairs = 1e7;
  const std::size_t k = fit.model.k();
  if (!(static_cast<double>(data.n_rows()) * static_cast<double>(k) > many_pairs)) return {};
  return {
      format_text("every iteration compared {} with {}; {assign=kdtree} lets neighbouring rows share alike, which is "
                  "approximate, and faster with few columns",
                  counted(data.n_rows(), "row"), counted(k, "cluster"))};
}

}  // namespace coppice::internal
