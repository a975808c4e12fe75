// SPDX-License-Identifier: BSD-3-Clause
// Both definitions in one bottom-up pass (docs/errata.md, 19): [L] draws a leaf and then a partner of its class, [S]
// draws a pair. They differ where classes are of unequal size. O(N log N) by merging the smaller counts into the
// larger.

#include "coppice/evaluate/dendrogram_purity.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "coppice/evaluate/groups.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::evaluate {
using namespace internal;

namespace {

using Counts = std::unordered_map<std::uint32_t, double>;  // leaves of every class that is there

// Class counts of the nodes that no merge has taken yet. The smaller list goes into the larger one, so that a leaf is
// moved at most log N times.
class ClassCounts {
 public:
  ClassCounts(const Dendrogram& tree, const Groups& classes)
      : tree_(tree), classes_(classes), of_merge_(tree.merges.size()) {}

  // Calls meet(class, leaves in a, leaves in b) for every class that is in both nodes of the merge.
  template <class Meet>
  void join(std::size_t merge, const Meet& meet) {
    Counts large = take(tree_.merges[merge].a);
    Counts small = take(tree_.merges[merge].b);
    if (large.size() < small.size()) std::swap(large, small);
    for (const auto& [group, count] : small) {
      double& other = large[group];
      if (other > 0.0) meet(group, other, count);
      other += count;
    }
    of_merge_[merge] = std::move(large);
  }

 private:
  Counts take(std::uint32_t node) {
    if (node < tree_.n_leaves) return {{classes_.of_row[node], 1.0}};
    return std::exchange(of_merge_[node - tree_.n_leaves], {});
  }

  const Dendrogram& tree_;
  const Groups& classes_;
  std::vector<Counts> of_merge_;
};

// For every class k the purities of its pairs, summed up: a node of n leaves joins l_k leaves on its left with r_k on
// its right, l_k r_k pairs of purity (l_k + r_k) / n.
std::vector<double> pure_pairs(const Dendrogram& tree, const Groups& classes) {
  std::vector<double> total(classes.k(), 0.0);
  ClassCounts counts(tree, classes);
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    const double n_leaves = tree.merges[i].size;
    counts.join(i, [&](std::uint32_t group, double left, double right) {
      total[group] += left * right * (left + right) / n_leaves;
    });
  }
  return total;
}

}  // namespace

DendrogramPurity dendrogram_purity(const Dendrogram& tree, std::span<const std::int32_t> classes) {
  if (classes.size() != tree.n_leaves) {
    throw DataError(fmt::format("{} given, but the tree has {}", counted(classes.size(), "label"),
                                counted(tree.n_leaves, "leaf", "leaves")));
  }
  const Groups groups = group(classes);
  const std::vector<double> pure = pure_pairs(tree, groups);
  double n_leaves = 0.0;  // of classes with pairs
  double n_pairs = 0.0;
  double sum_by_leaf = 0.0;
  double sum_by_pair = 0.0;
  for (std::size_t k = 0; k < groups.k(); ++k) {
    // A class of one has no pairs.
    if (groups.sizes[k] < 2) continue;
    const auto size = static_cast<double>(groups.sizes[k]);
    const double pairs = size * (size - 1.0) / 2.0;
    n_leaves += size;
    n_pairs += pairs;
    sum_by_leaf += size * pure[k] / pairs;
    sum_by_pair += pure[k];
  }
  if (n_pairs == 0.0) return {};
  return {sum_by_leaf / n_leaves, sum_by_pair / n_pairs};
}

}  // namespace coppice::evaluate
