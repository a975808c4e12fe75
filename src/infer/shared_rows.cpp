// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/shared_rows.hpp"

#include <algorithm>
#include <cstdint>

#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/shares.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

struct Share {
  std::int32_t cluster;
  std::size_t row;
  double share;
};

// The shares in one panel of rows, cluster by cluster.
class PanelShares {
 public:
  PanelShares(const Rows& rows, const Components& clusters, std::span<const double> log_weights)
      : rows_(rows),
        clusters_(clusters),
        log_weights_(log_weights),
        buffer_(rows.n_columns()),
        values_(log_weights.size() * kernels::panel_stride),
        totals_(log_weights.size()),
        n_left_(log_weights.size()) {}

  void append(std::size_t first, std::size_t count, double least_share, std::vector<Share>& out) {
    RowBlock block(rows_, first, count, buffer_);
    clusters_.costs({}, block, values_.data());
    for (double& value : values_) value = -value;
    kernels::take_shares(values_.data(), log_weights_, count, {}, {totals_.data(), n_left_.data()});
    for (std::size_t c = 0; c < log_weights_.size(); ++c) {
      for (std::size_t i = 0; i < count && n_left_[c] > 0; ++i) {
        const double share = values_[c * kernels::panel_stride + i];
        const double weight = rows_.weight(first + i);
        if (share >= least_share && weight > 0.0) {
          out.push_back({static_cast<std::int32_t>(c), first + i, share * weight});
        }
      }
    }
  }

 private:
  const Rows& rows_;
  const Components& clusters_;
  std::span<const double> log_weights_;
  BlockBuffer buffer_;
  kernels::AlignedVector<double> values_;
  std::vector<double> totals_;
  std::vector<std::uint32_t> n_left_;
};

}  // namespace

std::vector<SharedRows> shared_rows(const Execution& execution, const Problem& problem, const StatsArena& stats,
                                    double least_share) {
  const Rows& rows = problem.units.rows();
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(execution, stats);
  std::vector<double> log_weights = problem.offsets(stats);
  for (double& value : log_weights) value = -value;

  const Blocks blocks{rows.size()};
  std::vector<std::vector<Share>> of_block(blocks.count());
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    PanelShares panel(rows, *clusters, log_weights);
    for (std::size_t at = block.first; at < block.last; at += kernels::panel_rows) {
      panel.append(at, std::min(kernels::panel_rows, block.last - at), least_share, of_block[block.number]);
    }
  });

  std::vector<SharedRows> shared(stats.size());
  for (const std::vector<Share>& shares : of_block) {
    for (const Share& share : shares) {
      shared[static_cast<std::size_t>(share.cluster)].rows.push_back(share.row);
      shared[static_cast<std::size_t>(share.cluster)].shares.push_back(share.share);
    }
  }
  return shared;
}

}  // namespace coppice::internal
