// SPDX-License-Identifier: BSD-3-Clause
// Sequential by nature: each row changes the components that the next one meets. O(N K D^2), and one posterior per row
// and component. Orders differ by seed and stream, and the best of several is kept.

#include "structure/incremental_start.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/data/row_draw.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

namespace {

constexpr double least_share = 1e-6;  // of a row; who has less of it need not change

// By content: copies of a row come together, whatever their order in the table, and so do nodes of the same rows.
std::uint64_t content_of(const Units& units, std::size_t unit) {
  if (units.are_rows()) return unit_free_hash(units.rows().data(), unit);
  const FrontUnits& front = *units.front();
  const KdTree::Node node = front.of.tree.node(front.front->nodes()[unit]);
  std::uint64_t sum = 0;
  for (std::size_t place = node.first; place < node.last; ++place) {
    sum += unit_free_hash(front.of.tree.rows().data(), place);
  }
  return sum;
}

// Units with weight.
std::vector<std::size_t> in_random_order(const Units& units, std::uint64_t seed, std::uint64_t stream) {
  RandomStream random{seed, Purpose::restart, stream};
  const std::uint64_t mask = random.bits();
  // Odd, so that multiplying by it is one to one: equal keys are equal hashes.
  const std::uint64_t factor = random.bits() | 1U;
  struct Entry {
    std::uint64_t key;
    std::size_t unit;
  };
  std::vector<Entry> entries;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    if (!(units.weight(unit) > 0.0)) continue;
    std::uint64_t key = (content_of(units, unit) ^ mask) * factor;
    key ^= key >> 32U;
    entries.push_back({key * factor, unit});
  }
  std::ranges::stable_sort(entries, {}, &Entry::key);
  std::vector<std::size_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.unit);
  return order;
}

// Components as the units so far have left them.
class Pass {
 public:
  Pass(const Problem& problem, std::size_t k)
      : problem_(problem),
        stats_(k, problem.components.stats_size()),
        clusters_(problem.components.clone()),
        buffer_(problem.components.n_columns()),
        evidences_(problem.units.are_rows() ? 0 : k, problem.components.log_evidence(stats_[0])),
        densities_(k * kernels::panel_stride),
        scores_(k) {}

  void take(std::size_t unit) {
    log_shares_ = log_shares_of(problem_.partition, stats_.weights(), total_);
    const double weight = problem_.units.weight(unit);
    if (problem_.units.are_rows()) {
      take_row(unit, weight);
    } else {
      take_node(problem_.units.summary(unit), weight);
    }
    total_ += weight;
  }
  [[nodiscard]] StatsArena stats() && { return std::move(stats_); }

 private:
  void take_row(std::size_t row, double weight) {
    clusters_->update(stats_);
    RowBlock block(problem_.units.rows(), std::span(&row, 1), buffer_);
    clusters_->log_predictive({}, block, densities_.data());
    const auto density = [&](std::size_t c) { return densities_[c * kernels::panel_stride]; };
    share_out(weight, density,
              [&](std::size_t c, double mass) { problem_.components.add(stats_[c], block, std::span(&mass, 1)); });
  }

  // The rows behind it share alike, by the mean of their log densities.
  void take_node(ConstStatsRef node, double weight) {
    const auto density = [&](std::size_t c) { return log_predictive(c, node) / weight; };
    share_out(weight, density, [&](std::size_t c, double mass) {
      problem_.components.add_scaled(stats_[c], node, mass / weight);
      evidences_[c] = problem_.components.log_evidence(stats_[c]);
    });
  }

  // Of all rows behind a node, each after those before.
  [[nodiscard]] double log_predictive(std::size_t cluster, ConstStatsRef node) {
    merged_.assign(stats_[cluster].begin(), stats_[cluster].end());
    problem_.components.merge(merged_, node);
    return problem_.components.log_evidence(merged_) - evidences_[cluster];
  }

  template <class Density, class Add>
  void share_out(double weight, const Density& density, const Add& add) {
    for (std::size_t c = 0; c < scores_.size(); ++c) scores_[c] = log_shares_[c] + density(c);
    const double log_sum = kernels::log_sum_exp(scores_);
    for (std::size_t c = 0; c < scores_.size(); ++c) {
      const double share = std::exp(scores_[c] - log_sum);
      if (share >= least_share) add(c, share * weight);
    }
  }

  const Problem& problem_;
  StatsArena stats_;
  std::unique_ptr<Components> clusters_;
  BlockBuffer buffer_;
  std::vector<double> evidences_;  // where units are nodes
  std::vector<double> merged_;
  std::vector<double> densities_;
  std::vector<double> log_shares_;
  std::vector<double> scores_;
  double total_ = 0.0;
};

}  // namespace

StatsArena incremental_start(const Execution& execution, const Problem& problem, std::size_t k, std::uint64_t seed,
                             std::uint64_t stream) {
  Pass pass(problem, k);
  for (const std::size_t unit : in_random_order(problem.units, seed, stream)) {
    throw_if_stopped(execution.stop);
    pass.take(unit);
  }
  return std::move(pass).stats();
}

}  // namespace coppice::internal
