// SPDX-License-Identifier: BSD-3-Clause
// The paper's criteria ([L] appendix D, Eq. 47): J_split is how far a cluster's rows are from the density that it
// claims for them, J_merge the cosine between the columns of the responsibilities. The integral in Eq. 47 diverges for
// point masses, so the sum over rows is taken (docs/errata.md, 15), and the densities are those at the mean parameters,
// precisions averaged (the same erratum). One pass gives all sums, O(N K^2); over a tree, nodes in which one cluster is
// 40 nats ahead count as a whole.

#include "coppice/structure/criteria.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/tree/descent.hpp"

namespace coppice::internal {

namespace {

// Clusters this many nats behind the best have responsibilities that vanish beside 1 in double precision.
// exp(-40) is 4e-18, less than half the last bit of 1.
constexpr double negligible_lead = 40.0;

// Where the sums of an accumulator lie: per cluster sum r, sum r (log r - log p), then all sums r_c r_d.
struct Layout {
  std::size_t k;
  [[nodiscard]] std::size_t size() const noexcept { return 2 * k + k * k; }
  [[nodiscard]] std::size_t mass(std::size_t c) const noexcept { return c; }
  [[nodiscard]] std::size_t divergence(std::size_t c) const noexcept { return k + c; }
  [[nodiscard]] std::size_t product(std::size_t c, std::size_t d) const noexcept { return 2 * k + c * k + d; }
};

// The mixture whose responsibilities are summed: costs are -log p(x | c) at the mean parameters.
struct PlugInMixture {
  const Components& plug_in;
  std::vector<double> log_shares;
  std::unique_ptr<BoxTest> boxes;  // of the joint density
  std::vector<std::int32_t> everyone;

  [[nodiscard]] Layout layout() const noexcept { return {log_shares.size()}; }
};

// Sums over rows, of which some clusters are out of the question.
class CriteriaSums {
 public:
  CriteriaSums(const PlugInMixture& mixture, const Rows& rows, std::span<double> sums)
      : mixture_(mixture),
        at_(mixture.layout()),
        rows_(rows),
        sums_(sums),
        buffer_(rows.n_columns()),
        costs_(at_.k * kernels::panel_stride),
        log_joint_(at_.k),
        responsibility_(at_.k) {}

  void add_rows(std::size_t first, std::size_t last, std::span<const std::int32_t> candidates) {
    for (std::size_t begin = first; begin < last; begin += kernels::panel_rows) {
      RowBlock panel(rows_, begin, std::min(kernels::panel_rows, last - begin), buffer_);
      mixture_.plug_in.costs(candidates, panel, costs_.data());
      for (std::size_t row = 0; row < panel.n_rows(); ++row) {
        add_row(candidates, costs_.data() + row, rows_.weight(begin + row));
      }
    }
  }

  // Rows that belong to one cluster with certainty: r = 1.
  void add_node(ConstStatsRef stats, std::int32_t label) {
    const auto c = static_cast<std::size_t>(label);
    sums_[at_.mass(c)] += stats[0];
    // log r = 0, and - log p summed over the rows is the node's cost.
    sums_[at_.divergence(c)] += mixture_.plug_in.node_cost(c, stats);
    sums_[at_.product(c, c)] += stats[0];
  }

 private:
  void add_row(std::span<const std::int32_t> candidates, const double* costs, double weight) {
    const std::size_t n = candidates.size();
    const auto cluster = [&](std::size_t i) { return static_cast<std::size_t>(candidates[i]); };
    for (std::size_t i = 0; i < n; ++i) {
      log_joint_[i] = mixture_.log_shares[cluster(i)] - costs[i * kernels::panel_stride];
    }
    const double total = kernels::log_sum_exp(std::span<const double>(log_joint_).first(n));
    for (std::size_t i = 0; i < n; ++i) {
      const double r = responsibility_[i] = std::exp(log_joint_[i] - total);
      if (r <= 0.0) continue;
      sums_[at_.mass(cluster(i))] += weight * r;
      sums_[at_.divergence(cluster(i))] += weight * r * (log_joint_[i] - total + costs[i * kernels::panel_stride]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        sums_[at_.product(cluster(i), cluster(j))] += weight * responsibility_[i] * responsibility_[j];
      }
    }
  }

  const PlugInMixture& mixture_;
  Layout at_;
  const Rows& rows_;
  std::span<double> sums_;
  BlockBuffer buffer_;
  std::vector<double> costs_;
  std::vector<double> log_joint_;
  std::vector<double> responsibility_;
};

// A visitor of the tree (descent.hpp).
class CriteriaVisitor {
 public:
  CriteriaVisitor(const PlugInMixture& mixture, const TreeUnits& units, std::span<double> sums)
      : mixture_(mixture), units_(units), sums_(mixture, units.tree.rows(), sums) {}

  void prune(std::span<NodeCandidates> nodes) {
    if (mixture_.boxes) prune_boxes(*mixture_.boxes, negligible_lead, units_.tree, nodes, scratch_);
  }
  void prefetch(std::size_t /*node*/, bool /*is_owned*/) const {}
  void own(std::size_t node, std::int32_t label) { sums_.add_node(units_.stats[node], label); }
  [[nodiscard]] bool ends(std::size_t node) const { return units_.tree.is_leaf(node); }
  void leaf(std::size_t node, std::span<const std::int32_t> candidates) {
    sums_.add_rows(units_.tree.node(node).first, units_.tree.node(node).last, candidates);
  }

 private:
  const PlugInMixture& mixture_;
  const TreeUnits& units_;
  CriteriaSums sums_;
  std::vector<double> scratch_;
};

std::vector<double> criteria_sums(const Execution& execution, const Units& units, const PlugInMixture& mixture) {
  OrderedSum sum{.size = mixture.layout().size(), .add = {}, .merge = [](auto into, auto from) {
                   for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
                 }};
  if (!units.are_in_tree()) {
    const Blocks blocks{.n_items = units.size()};
    sum.add = [&](std::span<double> sums, std::size_t block, std::size_t /*worker*/) {
      CriteriaSums(mixture, units.rows(), sums).add_rows(blocks.first(block), blocks.last(block), mixture.everyone);
    };
    return ordered_sum(execution, blocks, sum);
  }
  const KdTree& tree = units.tree().tree;
  sum.add = [&](std::span<double> sums, std::size_t subtree, std::size_t /*worker*/) {
    CriteriaVisitor visitor(mixture, units.tree(), sums);
    Descent().run(tree, tree.subtrees()[subtree].root, mixture.everyone, visitor);
  };
  return ordered_sum(execution, {.n_items = tree.subtrees().size(), .items_per_block = 1}, sum);
}

}  // namespace

SplitMergeCriteria split_merge_criteria(const Execution& execution, const Problem& problem, const StatsArena& stats) {
  COPPICE_ASSERT(problem.units.are_rows());
  const std::size_t k = stats.size();
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(execution, stats);
  const std::unique_ptr<Components> plug_in = clusters->plug_in();
  PlugInMixture mixture{*plug_in, log_shares_of(problem.partition, stats.weights(), problem.total_weight), nullptr,
                        std::vector<std::int32_t>(k)};
  std::vector<double> offsets(k);
  for (std::size_t c = 0; c < k; ++c) offsets[c] = -mixture.log_shares[c];
  mixture.boxes = plug_in->box_test(offsets);
  std::iota(mixture.everyone.begin(), mixture.everyone.end(), 0);
  const std::vector<double> sums = criteria_sums(execution, problem.units, mixture);

  const Layout at = mixture.layout();
  SplitMergeCriteria criteria{std::vector<double>(k), std::vector<double>(k * k)};
  for (std::size_t c = 0; c < k; ++c) {
    // sum f log f = (sum r log r) / R - log R
    const double mass = sums[at.mass(c)];
    criteria.split[c] = sums[at.divergence(c)] / mass - std::log(mass);
    for (std::size_t d = 0; d <= c; ++d) {
      const double norm = std::sqrt(sums[at.product(c, c)] * sums[at.product(d, d)]);
      criteria.merge[c * k + d] = criteria.merge[d * k + c] = sums[at.product(c, d)] / norm;
    }
  }
  return criteria;
}

}  // namespace coppice::internal
