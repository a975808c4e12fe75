// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/rows_outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "coppice/assign/naive.hpp"
#include "coppice/data/choose_rows.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

namespace {

// Rows whose own cluster costs more than `limit` leave it.
void leave_costly_clusters(const Execution& execution, const Rows& rows, const Components& clusters,
                           std::span<const double> offsets, double limit, std::span<std::int32_t> labels) {
  const Blocks blocks{.n_items = rows.size()};
  const double panel_work = static_cast<double>(offsets.size() * kernels::panel_rows) * clusters.operations_per_row();
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    BlockBuffer buffer(rows.n_columns());
    std::vector<double> costs(offsets.size() * kernels::panel_stride);
    for (std::size_t first = block.first; first < block.last; first += kernels::panel_rows) {
      throw_if_stopped_before(execution.stop, panel_work);
      RowBlock panel(rows, first, std::min(kernels::panel_rows, block.last - first), buffer);
      // Of all clusters, since the rows of one panel have many labels.
      clusters.costs({}, panel, costs.data());
      for (std::size_t i = 0; i < panel.n_rows(); ++i) {
        const auto cluster = static_cast<std::size_t>(labels[first + i]);
        if (costs[cluster * kernels::panel_stride + i] + offsets[cluster] > limit) labels[first + i] = background_label;
      }
    }
  });
}

}  // namespace

SpannedBox spanned_box(const Rows& rows) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  SpannedBox box{std::vector<double>(rows.n_columns(), infinity), std::vector<double>(rows.n_columns(), -infinity)};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!(rows.weight(row) > 0.0)) continue;
    for (std::size_t column = 0; column < rows.n_columns(); ++column) {
      box.low[column] = std::min(box.low[column], rows.data().value(row, column));
      box.high[column] = std::max(box.high[column], rows.data().value(row, column));
    }
  }
  return box;
}

std::vector<double> spanned_widths(const Rows& rows) {
  const auto [low, high] = spanned_box(rows);
  std::vector<double> widths;
  for (std::size_t column = 0; column < rows.n_columns(); ++column) {
    widths.push_back(high[column] > low[column] ? high[column] - low[column] : 0.0);
  }
  return widths;
}

double log_spanned_volume(const Rows& rows) {
  double sum = 0.0;
  std::size_t n_varying = 0;
  for (const double width : spanned_widths(rows)) {
    if (!(width > 0.0)) continue;
    sum += std::log(width);
    ++n_varying;
  }
  // A column that is constant has no width. It counts as wide as the others do on average, so that the volume is
  // neither 0 nor a matter of units.
  return n_varying == 0 ? 0.0 : sum / static_cast<double>(n_varying) * static_cast<double>(rows.n_columns());
}

std::vector<std::int32_t> cheapest_labels(const Execution& execution, const Rows& rows, const ClustersBeside& clusters,
                                          std::span<const std::int32_t> present) {
  const std::vector<double> sizes = clusters.stats.weights();
  const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  const std::vector<double> offsets = offsets_of(clusters.partition, sizes, total);
  const std::unique_ptr<Components> at_clusters = clusters.components.clone();
  at_clusters->update(execution, clusters.stats);
  std::vector<std::int32_t> labels =
      assign_naive(execution, Subset(Units(rows)), *at_clusters, offsets, present).labels.by_row();
  const double limit = background_cost(clusters.partition, sizes, total);
  if (std::isfinite(limit)) leave_costly_clusters(execution, rows, *at_clusters, offsets, limit, labels);
  return labels;
}

double labelling_objective(const Execution& execution, const Rows& rows, const Components& components,
                           const PartitionPrior& clusters, double log_volume, std::span<const std::int32_t> labels) {
  std::vector<std::size_t> inside;
  std::vector<std::int32_t> labels_inside;
  double weight_outside = 0.0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] == background_label) {
      weight_outside += rows.weight(row);
    } else {
      inside.push_back(row);
      labels_inside.push_back(labels[row]);
    }
  }
  const std::unique_ptr<PartitionPrior> partition = beside_background(clusters.clone(), {log_volume, weight_outside});
  if (inside.empty()) return partition->objective({}, 0.0);
  const Rows chosen(choose_rows(rows.data(), inside), {rows.origin().begin(), rows.origin().end()});
  return labelling_objective(execution, chosen, components, *partition, labels_inside);
}

}  // namespace coppice::internal
