// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using List = std::vector<std::int32_t>;

// Where a way down ended: at a node, with these candidates.
struct End {
  std::size_t node = 0;
  List candidates;
  bool operator==(const End&) const = default;
};

// Drops candidates by hand of a stream named by the node, so that it does not matter who is asked first. A few nodes
// keep all of them, and now and then the first of them goes.
List left_at(std::size_t node, List candidates, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, node};
  if (random.below(4) == 0) return candidates;
  List left;
  for (const std::int32_t candidate : candidates) {
    if (random.below(3) > 0) left.push_back(candidate);
  }
  return left.empty() ? List{candidates.back()} : left;
}

class Recorder {
 public:
  Recorder(const KdTree& tree, std::uint64_t seed) : tree_(tree), seed_(seed) {}

  void prune(std::span<NodeCandidates> nodes) {
    ASSERT_LE(nodes.size(), 2U);
    ASSERT_EQ(nodes.front().n, nodes.back().n);
    for (NodeCandidates& at : nodes) {
      const List left = left_at(at.node, {at.candidates, at.candidates + at.n}, seed_);
      std::ranges::copy(left, at.candidates);
      at.n = left.size();
      ++n_pruned;
    }
  }
  void own(std::size_t node, std::int32_t candidate) { note({node, {candidate}}); }
  [[nodiscard]] bool ends(std::size_t node) const { return tree_.is_leaf(node); }
  void leaf(std::size_t node, std::span<const std::int32_t> candidates) {
    EXPECT_GT(candidates.size(), 1U);
    EXPECT_TRUE(tree_.is_leaf(node));
    note({node, {candidates.begin(), candidates.end()}});
  }
  void prefetch(std::size_t node, bool is_owned) { announced_.push_back({node, is_owned}); }

  std::vector<End> ends_seen;
  std::size_t n_pruned = 0;

 private:
  void note(End end) {
    ASSERT_LT(ends_seen.size(), announced_.size());
    EXPECT_EQ(announced_[ends_seen.size()].first, end.node);
    EXPECT_EQ(announced_[ends_seen.size()].second, end.candidates.size() == 1);
    ends_seen.push_back(std::move(end));
  }

  const KdTree& tree_;
  std::uint64_t seed_;
  std::vector<std::pair<std::size_t, bool>> announced_;
};

// The same by recursion.
void expected_ends(const KdTree& tree, std::size_t node, const List& candidates, std::uint64_t seed,
                   std::vector<End>& ends) {
  const List left = left_at(node, candidates, seed);
  if (left.size() == 1 || tree.is_leaf(node)) {
    ends.push_back({node, left});
    return;
  }
  expected_ends(tree, tree.left(node), left, seed, ends);
  expected_ends(tree, tree.right(node), left, seed, ends);
}

// One descent after the other in the same memory, from the root and from the middle of the tree.
TEST(Descent, EndsWhereRecursionEndsAndInItsOrder) {
  LocalExecution local(1);
  const Dataset data = scattered_rows(3000, 2, 5, 1);
  const KdTree tree(local.get(), Rows(data, {0.0, 0.0}), 8);
  Descent descent;
  std::size_t n_ends = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random{seed, Purpose::test, 1000};
    const std::size_t root = seed % 2 == 0 ? 0 : random.below(tree.n_nodes());
    List everyone(1 + random.below(12));
    std::iota(everyone.begin(), everyone.end(), 0);
    std::vector<End> expected;
    expected_ends(tree, root, everyone, seed, expected);
    Recorder recorder(tree, seed);
    descent.run(tree, root, everyone, recorder);
    ASSERT_EQ(recorder.ends_seen, expected) << "seed " << seed;
    EXPECT_EQ(recorder.n_pruned, 2 * expected.size() - 1);
    n_ends += expected.size();
  }
  EXPECT_GT(n_ends, 2000U);
}

}  // namespace
}  // namespace coppice::internal
