// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/mixture_ground.hpp"

#include "coppice/tree/node_statistics.hpp"

namespace coppice::internal {

MixtureGround::MixtureGround(const Execution& execution, const Rows& rows, const Components& family,
                             const FrontBudget& budget)
    : rows_(rows) {
  // Each part refers to the one before it.
  tree_.emplace(execution, rows, leaf_capacity(family.stats_size(), rows.data()), family.column_lengths());
  stats_ = node_statistics(execution, *tree_, family);
  of_.emplace(TreeUnits{*tree_, stats_});
  front_ = std::make_unique<GrowingFront>(*of_, budget);
}

}  // namespace coppice::internal
