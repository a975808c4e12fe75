// SPDX-License-Identifier: BSD-3-Clause
// The number of clusters by the soft bound, where no row is in the background.
#include "coppice/model/labelling.hpp"
#include "coppice/model/rows_outside.hpp"
#include "coppice/structure/background_search.hpp"
#include "coppice/structure/soft_search.hpp"

namespace coppice::internal {

bool BackgroundSearch::may_share_rows() const {
  const MixtureSpec& spec = plan_.spec;
  return spec.prior.rule == PriorRule::fitted && spec.partition.name == "dirichlet" && !spec.k && !spec.has_start &&
         !(best_->state.weight_outside > 0.0) && best_->state.k() <= many_clusters;
}

// Beside a background the objective of hard labels decides. Without rows it should change nothing: rows between two
// clusters of many are one more by that objective, and none where rows are shared.
void BackgroundSearch::share_rows() {
  if (!may_share_rows()) return;
  const Units units(ground_);
  const std::unique_ptr<Assigner> assigner = make_assigner(units);
  const SearchGround ground{*assigner, *clusters_, total_weight(ground_.data()), {}};
  internal::Found start{{}, best_->values, best_->components->clone()};
  start.state.stats = best_->state.stats;
  SoftFound soft = search_softly(local_.get(), ground, *best_->prior, start, search_options(on_ground_, 0));
  if (soft.stats.size() == best_->state.k()) return;
  const std::vector<std::int32_t> nobody(ground_.size(), background_label);
  std::vector<std::int32_t> labels =
      cheapest_labels(local_.get(), ground_, {*soft.components, soft.stats, *clusters_}, nobody);
  Found found{best_->prior, std::move(soft.values), std::move(soft.components), {}};
  found.state = state_of(local_.get(), problem(ground_, *found.components), std::move(labels));
  best_ = std::move(found);
  has_soft_k_ = true;
}

}  // namespace coppice::internal
