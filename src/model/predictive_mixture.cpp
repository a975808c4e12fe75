// SPDX-License-Identifier: BSD-3-Clause
#include "model/predictive_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

PredictiveMixture::PredictiveMixture(const Execution& execution, const Model& model, ClusterMass mass)
    : components_(model.components().clone()) {
  StatsArena stats = model.stats();
  const Background* beside = model.partition().background();
  const double total = model.total_weight() - (beside == nullptr ? 0.0 : beside->weight);  // of the clusters
  const std::vector<double> sizes = stats.weights();
  background_ = background_log_joint(model.partition(), sizes, total);
  log_factors_ = log_shares_of(model.partition(), sizes, total);
  const double log_new = model.partition().log_remainder(sizes, total);
  has_new_cluster_ = std::isfinite(log_new);
  if (has_new_cluster_) {  // a cluster of no rows is at its prior
    stats.append(std::vector<double>(stats.stats_size(), 0.0));
    log_factors_.push_back(log_new);
  }
  components_->update(execution, stats);
  if (mass == ClusterMass::of_evidence) return;
  for (std::size_t c = 0; c < log_factors_.size(); ++c) log_factors_[c] -= components_->log_mass(c);
}

void PredictiveMixture::for_each_row(const Execution& execution, const Rows& rows, Range range,
                                     const Visit& visit) const {
  const bool has_background = std::isfinite(background_);
  const Blocks blocks{.n_items = range.last - range.first};
  const double panel_work =
      static_cast<double>(log_factors_.size() * kernels::panel_rows) * components_->operations_per_row();
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    BlockBuffer buffer(rows.n_columns());
    std::vector<double> log_density(log_factors_.size() * kernels::panel_stride);
    std::vector<double> log_joint(log_factors_.size() + (has_background ? 1 : 0));
    const std::size_t last = range.first + block.last;
    for (std::size_t first = range.first + block.first; first < last; first += kernels::panel_rows) {
      throw_if_stopped_before(execution.stop, panel_work);
      RowBlock panel(rows, first, std::min(kernels::panel_rows, last - first), buffer);
      components_->log_predictive({}, panel, log_density.data());
      for (std::size_t row = 0; row < panel.n_rows(); ++row) {
        for (std::size_t c = 0; c < log_factors_.size(); ++c) {
          log_joint[c] = log_factors_[c] + log_density[c * kernels::panel_stride + row];
        }
        if (has_background) log_joint.back() = background_;
        visit(first + row, log_joint, kernels::log_sum_exp(log_joint));
      }
    }
  });
}

}  // namespace coppice::internal
