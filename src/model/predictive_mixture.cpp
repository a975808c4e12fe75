// SPDX-License-Identifier: BSD-3-Clause
#include "model/predictive_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/little_work.hpp"
#include "model/near_rows.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t worth_leaving_out = 8;  // components

}  // namespace

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
  if (stats.size() >= worth_leaving_out) bounds_ = components_->prediction_bounds();
  if (mass == ClusterMass::of_evidence) return;
  for (std::size_t c = 0; c < log_factors_.size(); ++c) log_factors_[c] -= components_->log_mass(c);
}

double PredictiveMixture::OfRow::log_joint_of(std::int32_t component) const {
  const auto found = std::ranges::lower_bound(components, component);
  if (found == components.end() || *found != component) return -std::numeric_limits<double>::infinity();
  return log_joint[static_cast<std::size_t>(found - components.begin())];
}

// Memory to take groups of rows in, one per thread.
class PredictiveMixture::Panels {
 public:
  Panels(const PredictiveMixture& mixture, const Rows& rows)
      : mixture_(mixture),
        rows_(rows),
        buffer_(rows.n_columns()),
        low_(rows.n_columns()),
        high_(rows.n_columns()),
        most_(n_components()),
        log_density_(n_components() * kernels::panel_stride) {}

  void take(const NearRows::Group& group, const Visit& visit) {
    RowBlock block(rows_, group.rows, buffer_);
    choose(block, group.cluster);
    mixture_.components_->log_predictive(chosen_, block, log_density_.data());
    const bool has_background = std::isfinite(mixture_.background_);
    log_joint_.resize(chosen_.size() + (has_background ? 1 : 0));
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      for (std::size_t c = 0; c < chosen_.size(); ++c) {
        log_joint_[c] =
            mixture_.log_factors_[static_cast<std::size_t>(chosen_[c])] + log_density_[c * kernels::panel_stride + i];
      }
      if (has_background) log_joint_.back() = mixture_.background_;
      visit({group.rows[i], chosen_, std::span(log_joint_).first(chosen_.size()), kernels::log_sum_exp(log_joint_)});
    }
  }

 private:
  [[nodiscard]] std::size_t n_components() const noexcept { return mixture_.log_factors_.size(); }

  // Components that may have a share of some row, judged by what the cluster that they are near to has of each.
  void choose(RowBlock& block, std::int32_t near) {
    chosen_.clear();
    const double limit = least_that_counts(block, near);
    for (std::size_t c = 0; c < n_components(); ++c) {
      const auto component = static_cast<std::int32_t>(c);
      const bool is_too_little = component != near && limit > mixture_.log_factors_[c] + most_[c];
      if (!is_too_little) chosen_.push_back(component);
    }
  }

  double least_that_counts(RowBlock& block, std::int32_t near) {
    if (!mixture_.leaves_out() || near < 0) return -std::numeric_limits<double>::infinity();
    const kernels::PanelView panel = block.panel();
    for (std::size_t d = 0; d < panel.n_columns; ++d) {
      const auto [low, high] = std::minmax_element(panel.column(d), panel.column(d) + panel.n_rows);
      low_[d] = *low;
      high_[d] = *high;
    }
    // Rows come in groups that are near to one cluster, so that the box around them is small.
    mixture_.bounds_->log_densities({low_, high_}, most_);
    mixture_.components_->log_predictive({&near, 1}, block, log_density_.data());
    const double least = *std::min_element(log_density_.data(), log_density_.data() + block.n_rows());
    // K of them together then stay below 2^-53 of a row's density, the last bit of 1.
    const double gap = 53.0 * std::numbers::ln2 + std::log(static_cast<double>(n_components()));
    return mixture_.log_factors_[static_cast<std::size_t>(near)] + least - gap;
  }

  const PredictiveMixture& mixture_;
  const Rows& rows_;
  BlockBuffer buffer_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> most_;  // log density of any row, by component
  std::vector<double> log_density_;
  std::vector<std::int32_t> chosen_;
  std::vector<double> log_joint_;
};

// Rows by the million, or as many as make whole groups of many clusters: lists of rows then take little memory.
void PredictiveMixture::for_each_row(const Execution& execution, const Rows& rows, const Asked& asked,
                                     const Visit& visit) const {
  const std::size_t at_once = std::max(std::size_t{1} << 20U, kernels::panel_rows * log_factors_.size());
  for (std::size_t first = 0; first < asked.near.size(); first += at_once) {
    const std::size_t n = std::min(at_once, asked.near.size() - first);
    for_each_group(execution, rows, NearRows(asked.first + first, asked.near.subspan(first, n), log_factors_.size()),
                   visit);
  }
}

void PredictiveMixture::for_each_group(const Execution& execution, const Rows& rows, const NearRows& groups,
                                       const Visit& visit) const {
  constexpr std::size_t groups_per_block = rows_per_block / kernels::panel_rows;
  const double group_work =
      static_cast<double>(log_factors_.size() * kernels::panel_rows) * components_->operations_per_row();
  const Blocks blocks{.n_items = groups.size(), .items_per_block = groups_per_block};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    Panels panels(*this, rows);
    for (std::size_t group = block.first; group < block.last; ++group) {
      throw_if_stopped_before(execution.stop, group_work);
      panels.take(groups[group], visit);
    }
  });
}

}  // namespace coppice::internal
