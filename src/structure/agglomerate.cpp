// SPDX-License-Identifier: BSD-3-Clause
// Agglomerative Bayesian clustering ([L] section 7; docs/methods/abc.md): merge the pair of largest gain until one
// cluster is left, and read K off the level of least objective. Pairs are compared by the part of the gain that is
// theirs (PairGains); what a merge changes at its level, the same for all pairs, is added when it is made. Gains are
// not reducible and F is not monotone along the merges (docs/errata.md, 18), so the tree goes on to the root (erratum
// 21), and heights are running maxima: a tree whose heights fall could not be cut.

#include "coppice/structure/agglomerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/format_text.hpp"
#include "structure/look_ahead.hpp"
#include "structure/pair_gains.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t reports = 64;  // to the observer, over all merges

// Merges one pair after the other, and keeps the books.
class Agglomerator {
 public:
  Agglomerator(const Execution& execution, const Components& components, const PartitionPrior& partition,
               StatsArena clusters, const AgglomerationOptions& options)
      : execution_(execution),
        partition_(partition),
        options_(options),
        n_(clusters.size()),
        gains_(components, partition, std::move(clusters)),
        total_(std::accumulate(gains_.sizes().begin(), gains_.sizes().end(), 0.0)),
        nodes_(n_),
        leaves_(n_, 1.0) {
    std::iota(nodes_.begin(), nodes_.end(), std::uint32_t{0});
    result_.tree.n_leaves = n_;
    result_.objective.push_back(objective_of_start());
  }

  Agglomeration run() && {
    try {
      merge_to_the_root();
    } catch (const Stopped& stopped) {
      result_.stopped = stopped.reason();
    }
    if (pairs_) result_.n_keys = pairs_->n_keys();
    set_heights();
    return std::move(result_);
  }

 private:
  [[nodiscard]] double objective_of_start() const {
    double sum = partition_.objective(gains_.sizes(), total_);
    for (std::size_t c = 0; c < n_; ++c) sum -= gains_.log_evidence(static_cast<Slot>(c));
    return sum;
  }

  void merge_to_the_root() {
    if (n_ < 2) return;
    pairs_ = options_.look_ahead > 1 ? make_look_ahead_pairs(execution_, gains_, n_, options_.look_ahead)
                                     : make_closest_pairs(options_.pairs, execution_, gains_, n_);
    // After the last merge nobody asks for another pair.
    for (std::size_t made = 0; made + 1 < n_; ++made) {
      report(made);
      const ClosestPair pair = pairs_->best();
      note(pair, gains_.merge(pair.a, pair.b) + partition_.merges().level(total_, n_ - made));
      if (made + 2 < n_) pairs_->merge(pair.a, pair.b);
    }
  }

  void note(const ClosestPair& pair, double gain) {
    if (!std::isfinite(gain)) {
      // From here on every objective would be none.
      throw NumericError(
          fmt::format("merging the nodes {} and {} of the tree changes the objective by {}, which is no "
                      "finite number",
                      nodes_[pair.a], nodes_[pair.b], gain));
    }
    leaves_[pair.a] += leaves_[pair.b];
    result_.tree.merges.push_back({nodes_[pair.a], nodes_[pair.b], gain, leaves_[pair.a]});
    result_.objective.push_back(result_.objective.back() + gain);
    nodes_[pair.a] = static_cast<std::uint32_t>(n_ + result_.tree.merges.size() - 1);
  }

  void report(std::size_t made) {
    throw_if_stopped(execution_.stop);
    const std::size_t merges_per_report = std::max<std::size_t>(1, n_ / reports);
    if (!options_.observer || made % merges_per_report != 0) return;
    result_.n_keys = pairs_->n_keys();
    if (options_.observer(result_) == Next::stop) throw Stopped(StopReason::cancelled);
  }

  // So far every height is its merge's dF.
  void set_heights() {
    std::vector<Merge>& merges = result_.tree.merges;
    if (merges.empty()) return;
    const double smallest = std::ranges::min_element(merges, {}, &Merge::height)->height;
    double largest = -std::numeric_limits<double>::infinity();
    for (Merge& merge : merges) {
      largest = std::max(largest, merge.height);
      merge.height = largest - smallest;
    }
  }

  Execution execution_;
  const PartitionPrior& partition_;
  const AgglomerationOptions& options_;
  std::size_t n_;
  PairGains gains_;
  double total_;
  std::unique_ptr<ClosestPairs> pairs_;
  std::vector<std::uint32_t> nodes_;  // of the tree, by slot
  std::vector<double> leaves_;        // below them
  Agglomeration result_;
};

}  // namespace

Agglomeration agglomerate(const Execution& execution, const Components& components, const PartitionPrior& partition,
                          StatsArena clusters, const AgglomerationOptions& options) {
  if (options.look_ahead > 1 && clusters.size() > most_clusters_to_look_ahead) {
    throw LimitError(
        format_text("looking {} merges ahead of {} clusters would take too long; the limit is {}. Leave "
                    "out {look_ahead}, or take fewer rows",
                    options.look_ahead, clusters.size(), most_clusters_to_look_ahead));
  }
  return Agglomerator(execution, components, partition, std::move(clusters), options).run();
}

StatsArena row_statistics(const Execution& execution, const Components& components, const Rows& rows) {
  StatsArena stats(rows.size(), components.stats_size());
  const Blocks blocks{rows.size(), 256};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    BlockBuffer buffer(rows.n_columns());
    for (std::size_t row = block.first; row < block.last; ++row) {
      RowBlock one(rows, row, 1, buffer);
      const double weight = rows.weight(row);
      components.add(stats[row], one, rows.are_weighted() ? Weights(&weight, 1) : Weights{});
    }
  });
  return stats;
}

std::size_t least_objective_k(std::span<const double> objective, std::size_t n_leaves) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < objective.size(); ++i) {
    // Of equal levels the one with fewer clusters.
    if (objective[i] <= objective[best]) best = i;
  }
  return n_leaves - best;
}

std::size_t first_rise_k(std::span<const double> objective, std::size_t n_leaves) {
  std::size_t last = 0;
  while (last + 1 < objective.size() && objective[last + 1] < objective[last]) ++last;
  return n_leaves - last;
}

}  // namespace coppice::internal
