// SPDX-License-Identifier: BSD-3-Clause
// The same shares as in expectation.cpp, but written down: lists of units by cluster, of which most clusters have few.
// Blocks list for themselves and are strung together in order, so that every cluster's units are in increasing order,
// whatever the threads.

#include "coppice/infer/shared_rows.hpp"

#include <algorithm>
#include <cstdint>

#include "coppice/infer/variational_step.hpp"
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/shares.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

struct Share {
  std::int32_t cluster;
  std::size_t unit;
  double share;
};

// The shares in one panel of units, cluster by cluster.
class PanelShares {
 public:
  PanelShares(const Units& units, const Components& clusters, const NodeCosts& node_costs,
              std::span<const double> log_weights)
      : units_(units),
        clusters_(clusters),
        node_costs_(node_costs),
        log_weights_(log_weights),
        n_summaries_(units.are_rows() ? 0 : units.size() - (units.have_opened_rows() ? opened_rows().size() : 0)),
        buffer_(clusters.n_columns()),
        values_(log_weights.size() * kernels::panel_stride),
        totals_(log_weights.size()),
        n_left_(log_weights.size()) {}

  // Units of one kind, as many as there are up to `last`; returns how many.
  std::size_t append(std::size_t first, std::size_t last, double least_share, std::vector<Share>& out) {
    if (first < n_summaries_) last = std::min(last, n_summaries_);
    const std::size_t count = std::min(kernels::panel_rows, last - first);
    take_log_densities(first, count);
    kernels::take_shares(values_.data(), log_weights_, count, {}, {totals_.data(), n_left_.data()});
    for (std::size_t c = 0; c < log_weights_.size(); ++c) {
      for (std::size_t i = 0; i < count && n_left_[c] > 0; ++i) {
        const double share = values_[c * kernels::panel_stride + i];
        const double weight = units_.weight(first + i);
        if (share >= least_share && weight > 0.0) {
          out.push_back({static_cast<std::int32_t>(c), first + i, share * weight});
        }
      }
    }
    return count;
  }

 private:
  [[nodiscard]] std::span<const std::size_t> opened_rows() const { return units_.front()->front->rows(); }

  void take_log_densities(std::size_t first, std::size_t count) {
    if (first < n_summaries_) return take_summaries(first, count);
    RowBlock block = units_.are_rows()
                         ? RowBlock(units_.rows(), first, count, buffer_)
                         : RowBlock(rows_behind(units_), opened_rows().subspan(first - n_summaries_, count), buffer_);
    clusters_.costs({}, block, values_.data());
    for (double& value : values_) value = -value;
  }

  // The mean over the rows behind a summary.
  void take_summaries(std::size_t first, std::size_t count) {
    nodes_.clear();
    for (std::size_t i = 0; i < count; ++i) nodes_.push_back(units_.summary(first + i));
    node_costs_.costs(nodes_, values_.data());
    for (std::size_t c = 0; c < log_weights_.size(); ++c) {
      for (std::size_t i = 0; i < count; ++i) {
        double& value = values_[c * kernels::panel_stride + i];
        value = nodes_[i][0] > 0.0 ? -value / nodes_[i][0] : 0.0;
      }
    }
  }

  const Units& units_;
  const Components& clusters_;
  const NodeCosts& node_costs_;
  std::span<const double> log_weights_;
  std::size_t n_summaries_;
  BlockBuffer buffer_;
  std::vector<ConstStatsRef> nodes_;
  kernels::AlignedVector<double> values_;
  std::vector<double> totals_;
  std::vector<std::uint32_t> n_left_;
};

}  // namespace

std::vector<SharedRows> shared_rows(const Execution& execution, const Problem& problem, const StatsArena& stats,
                                    double least_share) {
  const std::vector<double> log_weights = weights_of(problem, stats).expected_logs;
  StatsArena all = stats;  // and the tail, if there is one
  if (log_weights.size() > stats.size()) all.append(std::vector<double>(stats.stats_size(), 0.0));
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(execution, all);
  const std::unique_ptr<NodeCosts> node_costs = clusters->node_costs();

  const Blocks blocks{problem.units.size()};
  std::vector<std::vector<Share>> of_block(blocks.count());
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    PanelShares panel(problem.units, *clusters, *node_costs, log_weights);
    for (std::size_t at = block.first; at < block.last;) {
      at += panel.append(at, block.last, least_share, of_block[block.number]);
    }
  });

  std::vector<SharedRows> shared(stats.size());
  for (const std::vector<Share>& shares : of_block) {
    for (const Share& share : shares) {
      const auto cluster = static_cast<std::size_t>(share.cluster);
      if (cluster == stats.size()) continue;  // the tail's
      shared[cluster].rows.push_back(share.unit);
      shared[cluster].shares.push_back(share.share);
    }
  }
  return shared;
}

}  // namespace coppice::internal
