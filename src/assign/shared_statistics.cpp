// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/shared_statistics.hpp"

#include <algorithm>
#include <vector>

#include "assign/rows_by_cluster.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_shares_of_block = 4096;

// What one thread works in.
class ShareSums {
 public:
  ShareSums(const Rows& rows, const Components& family, std::size_t n_each)
      : rows_(rows), family_(family), n_each_(n_each), buffer_(family.n_columns()) {}

  // The shares are places in the list of all.
  void add(std::span<const std::size_t> shares, std::span<const double> masses, StatsRef into) {
    for (std::size_t first = 0; first < shares.size(); first += kernels::panel_rows) {
      chosen_.clear();
      weights_.clear();
      for (const std::size_t share : shares.subspan(first, std::min(kernels::panel_rows, shares.size() - first))) {
        if (!(masses[share] > 0.0)) continue;
        chosen_.push_back(share / n_each_);
        weights_.push_back(masses[share]);
      }
      if (chosen_.empty()) continue;
      RowBlock block(rows_, chosen_, buffer_);
      family_.add(into, block, weights_);
    }
  }

 private:
  const Rows& rows_;
  const Components& family_;
  std::size_t n_each_;
  BlockBuffer buffer_;
  std::vector<std::size_t> chosen_;
  std::vector<double> weights_;
};

}  // namespace

// Shares are sorted by cluster and summed up there, so that no thread needs room for all clusters. A cluster of many
// rows is cut into blocks, which are put together in their order.
StatsArena shared_statistics(const Execution& execution, const Rows& rows, const Components& family,
                             const RowClusters& clusters, std::span<const double> masses, std::size_t n_clusters) {
  const Groups groups(clusters.all(), n_clusters);
  const std::vector<GroupBlock> blocks = groups.blocks(most_shares_of_block);
  StatsArena of_blocks(blocks.size(), family.stats_size());
  Workspaces<ShareSums> workspaces(execution.n_threads());
  for_each_task(execution, {.count = blocks.size()}, [&](std::size_t task, std::size_t worker) {
    ShareSums& sums =
        workspaces.of(worker, [&] { return std::make_unique<ShareSums>(rows, family, clusters.n_each()); });
    const GroupBlock& block = blocks[task];
    sums.add(groups.entries().subspan(block.first, block.last - block.first), masses, of_blocks[task]);
  });
  StatsArena stats(n_clusters, family.stats_size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (of_blocks.weight(i) > 0.0) family.merge(stats[blocks[i].group], of_blocks[i]);
  }
  return stats;
}

}  // namespace coppice::internal
