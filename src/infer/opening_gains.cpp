// SPDX-License-Identifier: BSD-3-Clause
// [V] section 6: what a node's rows would gain by shares of their own, to first order exact, since parameters stay.
// Tied, a node of weight n contributes n log sum_c exp(s_c) at the mean scores s of its rows; opened, the same for its
// children or rows. The log-sum-exp is convex, so no gain is negative but for rounding. Nodes are asked in panels, O(K
// D^2) each, and only leaves ever look at rows.

#include "coppice/infer/opening_gains.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/infer/variational_step.hpp"
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/shares.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t sampled_rows = 8;  // of a node

}  // namespace

NodeLogSums::NodeLogSums(const Execution& execution, const Problem& problem, const StatsArena& mixture)
    : execution_(execution),
      of_(problem.units.front()->of),
      log_weights_(weights_of(problem, mixture).expected_logs),
      clusters_(problem.components.clone()) {
  StatsArena all = mixture;  // and the tail, if there is one
  if (log_weights_.size() > mixture.size()) all.append(std::vector<double>(mixture.stats_size(), 0.0));
  clusters_->update(execution, all);
  node_costs_ = clusters_->node_costs();
}

// What one thread works in.
class NodeLogSums::Panel {
 public:
  explicit Panel(const NodeLogSums& sums)
      : sums_(sums),
        buffer_(sums.clusters_->n_columns()),
        values_(sums.log_weights_.size() * kernels::panel_stride),
        log_sums_(kernels::panel_rows) {}

  // At most a panel of nodes.
  void tied(std::span<const std::uint32_t> nodes, std::span<double> out) {
    stats_.clear();
    for (const std::uint32_t node : nodes) stats_.push_back(sums_.of_.stats[node]);
    sums_.node_costs_->costs(stats_, values_.data());
    take_log_sums(nodes.size(), [&](std::size_t i) { return stats_[i][0]; });
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      // The costs of a node are summed over its rows: divided by the weight they are the mean.
      const double weight = stats_[i][0];
      out[i] = weight > 0.0 ? weight * log_sums_[i] : 0.0;
    }
  }

  // So many nodes that their sampled rows are a panel at most.
  void sampled(std::span<const std::uint32_t> nodes, std::span<double> out) {
    tied(nodes, out);
    const std::size_t k = sums_.log_weights_.size();
    shares_.resize(k * nodes.size());
    places_.clear();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      take_shares(i, std::span(shares_).subspan(i * k, k));
      const auto [first, last] = std::pair(sums_.of_.tree.node(nodes[i]).first, sums_.of_.tree.node(nodes[i]).last);
      for (std::size_t j = 0; j < sampled_rows; ++j) places_.push_back(first + j * (last - first) / sampled_rows);
    }
    RowBlock block(sums_.of_.tree.rows(), places_, buffer_);
    sums_.clusters_->costs({}, block, values_.data());
    take_log_sums(places_.size(), [](std::size_t) { return 1.0; });
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      out[i] = stats_[i][0] * mean_divergence(i, std::span(shares_).subspan(i * k, k));
    }
  }

  double by_row(std::uint32_t node) {
    const Rows& rows = sums_.of_.tree.rows();
    const auto [first, last] = std::pair(sums_.of_.tree.node(node).first, sums_.of_.tree.node(node).last);
    double sum = 0.0;
    for (std::size_t at = first; at < last; at += kernels::panel_rows) {
      const std::size_t count = std::min(kernels::panel_rows, last - at);
      RowBlock block(rows, at, count, buffer_);
      sums_.clusters_->costs({}, block, values_.data());
      take_log_sums(count, [](std::size_t) { return 1.0; });
      for (std::size_t i = 0; i < count; ++i) {
        const double weight = rows.weight(at + i);
        if (weight > 0.0) sum += weight * log_sums_[i];
      }
    }
    return sum;
  }

 private:
  // From costs of so much weight each.
  template <class WeightOf>
  void take_log_sums(std::size_t count, const WeightOf& weight_of) {
    for (std::size_t c = 0; c < sums_.log_weights_.size(); ++c) {
      double* of_cluster = values_.data() + c * kernels::panel_stride;
      for (std::size_t i = 0; i < count; ++i) of_cluster[i] /= -weight_of(i);
    }
    kernels::log_sums(values_.data(), sums_.log_weights_, count, log_sums_.data());
  }

  // Of a node whose scores and log sum are there.
  void take_shares(std::size_t i, std::span<double> shares) const {
    for (std::size_t c = 0; c < shares.size(); ++c) shares[c] = std::exp(score(c, i) - log_sums_[i]);
  }

  // Of the shares of node i from those of its sampled rows, whose scores and log sums are there.
  [[nodiscard]] double mean_divergence(std::size_t i, std::span<const double> shares) const {
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t row = i * sampled_rows; row < (i + 1) * sampled_rows; ++row) {
      const double weight = sums_.of_.tree.rows().weight(places_[row]);
      total += weight;
      for (std::size_t c = 0; c < shares.size(); ++c) {
        if (shares[c] > 0.0) sum += weight * shares[c] * (std::log(shares[c]) - score(c, row) + log_sums_[row]);
      }
    }
    return total > 0.0 ? std::max(0.0, sum / total) : 0.0;
  }
  [[nodiscard]] double score(std::size_t cluster, std::size_t i) const {
    return sums_.log_weights_[cluster] + values_[cluster * kernels::panel_stride + i];
  }

  const NodeLogSums& sums_;
  BlockBuffer buffer_;
  std::vector<std::size_t> places_;
  std::vector<double> shares_;
  std::vector<ConstStatsRef> stats_;
  kernels::AlignedVector<double> values_;
  kernels::AlignedVector<double> log_sums_;
};

template <class Take>
void NodeLogSums::for_each_panel(std::span<const std::uint32_t> nodes, const Take& take, std::size_t n_nodes) const {
  for_each_block(execution_, {.n_items = nodes.size(), .items_per_block = n_nodes}, [&](const BlockRange& block) {
    Panel panel(*this);
    take(panel, block.first, block.last);
  });
}

std::vector<double> NodeLogSums::tied(std::span<const std::uint32_t> nodes) const {
  std::vector<double> sums(nodes.size());
  for_each_panel(nodes, [&](Panel& panel, std::size_t first, std::size_t last) {
    panel.tied(nodes.subspan(first, last - first), std::span(sums).subspan(first, last - first));
  });
  return sums;
}

std::vector<double> NodeLogSums::sampled_gains(std::span<const std::uint32_t> nodes) const {
  std::vector<double> gains(nodes.size());
  for_each_panel(
      nodes,
      [&](Panel& panel, std::size_t first, std::size_t last) {
        panel.sampled(nodes.subspan(first, last - first), std::span(gains).subspan(first, last - first));
      },
      kernels::panel_rows / sampled_rows);
  return gains;
}

std::vector<double> NodeLogSums::by_row(std::span<const std::uint32_t> nodes) const {
  std::vector<double> sums(nodes.size());
  for_each_panel(nodes, [&](Panel& panel, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sums[i] = panel.by_row(nodes[i]);
  });
  return sums;
}

std::vector<double> opening_gains(const Execution& execution, const Problem& problem, const StatsArena& mixture) {
  const KdTree& tree = problem.units.front()->of.tree;
  const std::span<const std::uint32_t> nodes = problem.units.front()->front->nodes();
  const NodeLogSums sums(execution, problem, mixture);
  std::vector<std::uint32_t> leaves;
  std::vector<std::uint32_t> children;
  for (const std::uint32_t node : nodes) {
    if (tree.is_leaf(node)) {
      leaves.push_back(node);
    } else {
      children.push_back(static_cast<std::uint32_t>(tree.left(node)));
      children.push_back(static_cast<std::uint32_t>(tree.right(node)));
    }
  }
  const std::vector<double> of_leaves = sums.by_row(leaves);
  const std::vector<double> of_children = sums.tied(children);
  std::vector<double> gains = sums.tied(nodes);
  auto leaf = of_leaves.begin();
  auto child = of_children.begin();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (tree.is_leaf(nodes[i])) {
      gains[i] = *leaf++ - gains[i];
    } else {
      gains[i] = child[0] + child[1] - gains[i];
      child += 2;
    }
  }
  return gains;
}

}  // namespace coppice::internal
