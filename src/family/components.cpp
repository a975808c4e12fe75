// SPDX-License-Identifier: BSD-3-Clause
// What every family can do by merging statistics or going node by node, where it knows nothing faster. Slow, and right
// for every family.

#include "coppice/family/components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice {

namespace {

// Merges the statistics of every pair that is asked for.
class EvidenceOfMergedStatistics final : public MergedEvidence {
 public:
  EvidenceOfMergedStatistics(const Components& components, StatsArena stats)
      : components_(components), stats_(std::move(stats)), alone_(stats_.size()) {
    for (std::size_t c = 0; c < stats_.size(); ++c) alone_[c] = components_.log_evidence(stats_[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return alone_[cluster]; }
  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    std::vector<double> both(stats_.stats_size());
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::size_t first = std::min<std::size_t>(one, others[i]);  // a fixed order: sums round alike
      const std::size_t second = std::max<std::size_t>(one, others[i]);
      std::ranges::copy(stats_[first], both.begin());
      components_.merge(both, stats_[second]);
      out[i] = components_.log_evidence(both);
    }
  }
  void set(std::size_t cluster, ConstStatsRef stats) override {
    stats_.assign(cluster, stats);
    alone_[cluster] = components_.log_evidence(stats);
  }

 private:
  const Components& components_;
  StatsArena stats_;
  std::vector<double> alone_;
};

class NodesOneByOne final : public NodeCosts {
 public:
  explicit NodesOneByOne(const Components& components) : components_(components) {}

  void costs(std::span<const ConstStatsRef> nodes, double* out) const override {
    for (std::size_t c = 0; c < components_.size(); ++c) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        out[c * kernels::panel_stride + i] = components_.node_cost(c, nodes[i]);
      }
    }
  }

 private:
  const Components& components_;
};

[[noreturn]] void refuse_single_moves(std::string_view family) {
  throw std::logic_error(fmt::format("the family '{}' does not move single rows", family));
}

}  // namespace

std::uint64_t new_identity() noexcept {
  // Only told apart, never ordered: which number a cluster gets may depend on threads, and nothing else does.
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void Components::subtract(StatsRef /*from*/, ConstStatsRef /*part*/) const { refuse_single_moves(family()); }

void Components::log_held_out(std::size_t /*cluster*/, RowBlock& /*rows*/, double* /*out*/) const {
  refuse_single_moves(family());
}

std::unique_ptr<NodeCosts> Components::node_costs() const { return std::make_unique<NodesOneByOne>(*this); }

void Components::update(const StatsArena& stats) {
  LocalExecution alone(1);
  update(alone.get(), stats);
}

std::vector<double> Components::log_evidences(const Execution& execution, const StatsArena& stats) const {
  std::vector<double> result(stats.size());
  for_each_task(execution, {stats.size(), operations_per_cluster()},
                [&](std::size_t c) { result[c] = log_evidence(stats[c]); });
  return result;
}

void Components::balance(const Execution& execution, StatsArena& stats) const {
  if (!weighs_members()) return;
  for_each_task(execution, {stats.size(), operations_per_cluster()}, [&](std::size_t c) { balance(stats[c]); });
}

double Components::merge_loss(ConstStatsRef a, ConstStatsRef b) const {
  std::vector<double> both(a.begin(), a.end());
  merge(both, b);
  return log_evidence(a) + log_evidence(b) - log_evidence(both);
}

std::unique_ptr<MergedEvidence> Components::merged_evidence(const StatsArena& stats) const {
  return std::make_unique<EvidenceOfMergedStatistics>(*this, stats);
}

}  // namespace coppice
