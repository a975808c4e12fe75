// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/dendrogram_purity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::evaluate {
using namespace internal;
namespace {

using Labels = std::vector<std::int32_t>;

std::size_t draw_below(std::size_t n, RandomStream& random) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
}

// Two free nodes, drawn at random, are joined until one is left.
Dendrogram random_tree(std::size_t n_leaves, RandomStream& random) {
  Dendrogram tree{n_leaves, {}};
  std::vector<std::uint32_t> free;
  for (std::uint32_t leaf = 0; leaf < n_leaves; ++leaf) free.push_back(leaf);
  const auto size_of = [&](std::uint32_t node) { return node < n_leaves ? 1.0 : tree.merges[node - n_leaves].size; };
  const auto draw = [&] {
    const std::size_t at = draw_below(free.size(), random);
    const std::uint32_t node = free[at];
    free.erase(free.begin() + static_cast<std::ptrdiff_t>(at));
    return node;
  };
  while (free.size() > 1) {
    const std::uint32_t a = draw();
    const std::uint32_t b = draw();
    free.push_back(static_cast<std::uint32_t>(n_leaves + tree.merges.size()));
    tree.merges.push_back({std::min(a, b), std::max(a, b), 1.0, size_of(a) + size_of(b)});
  }
  return tree;
}

// By the definition: every pair of leaves of one class, and the node that joins them.
DendrogramPurity by_enumeration(const Dendrogram& tree, const Labels& classes) {
  std::vector<std::set<std::size_t>> below;
  for (std::size_t leaf = 0; leaf < tree.n_leaves; ++leaf) below.push_back({leaf});
  for (const Merge& merge : tree.merges) {
    below.push_back(below[merge.a]);
    below.back().insert(below[merge.b].begin(), below[merge.b].end());
  }
  const auto purity_of = [&](std::size_t a, std::size_t b) {
    const auto joined =
        std::ranges::find_if(below, [&](const auto& set) { return set.contains(a) && set.contains(b); });
    const auto same = std::ranges::count_if(*joined, [&](std::size_t leaf) { return classes[leaf] == classes[a]; });
    return static_cast<double>(same) / static_cast<double>(joined->size());
  };
  std::map<std::int32_t, std::vector<double>> of_class;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) {
      if (classes[a] == classes[b]) of_class[classes[a]].push_back(purity_of(a, b));
    }
  }
  double by_leaf = 0.0, n_leaves = 0.0, by_pair = 0.0, n_pairs = 0.0;
  for (const auto& [label, purities] : of_class) {
    double sum = 0.0;
    for (const double purity : purities) sum += purity;
    const auto size = static_cast<double>(std::ranges::count(classes, label));
    const auto pairs = static_cast<double>(purities.size());
    by_leaf += size * sum / pairs;
    n_leaves += size;
    by_pair += sum;
    n_pairs += pairs;
  }
  return {by_leaf / n_leaves, by_pair / n_pairs};
}

TEST(DendrogramPurity, IsThatOfAllPairs) {
  RandomStream random{1, Purpose::test, 0};
  for (std::size_t round = 0; round < 60; ++round) {
    const std::size_t n_leaves = 2 + draw_below(40, random);
    const std::size_t k = 1 + draw_below(8, random);
    const Dendrogram tree = random_tree(n_leaves, random);
    Labels classes = {7, 7};  // one pair at least
    while (classes.size() < n_leaves) classes.push_back(static_cast<std::int32_t>(draw_below(k, random)) - 1);
    const DendrogramPurity expected = by_enumeration(tree, classes);
    const DendrogramPurity found = dendrogram_purity(tree, classes);
    EXPECT_NEAR(found.leaf, expected.leaf, 1e-13);
    EXPECT_NEAR(found.pairs, expected.pairs, 1e-13);
  }
}

TEST(DendrogramPurity, OfSubtreesIsOne) {
  const Dendrogram tree = {4, {{0, 2, 1.0, 2.0}, {1, 3, 1.0, 2.0}, {4, 5, 1.0, 4.0}}};
  const DendrogramPurity found = dendrogram_purity(tree, Labels{5, 9, 5, 9});
  EXPECT_EQ(found.leaf, 1.0);
  EXPECT_EQ(found.pairs, 1.0);
}

TEST(DendrogramPurity, TheDefinitionsDifferWhereSizesDo) {
  // (0 1) are of a class of two; the class of three is joined at the root and in the impure node before it.
  const Dendrogram tree = {5, {{0, 1, 1.0, 2.0}, {2, 5, 1.0, 3.0}, {3, 4, 1.0, 2.0}, {6, 7, 1.0, 5.0}}};
  const DendrogramPurity found = dendrogram_purity(tree, Labels{0, 0, 1, 1, 1});
  // Class 0: one pair of purity 1. Class 1: (3 4) of purity 1, two pairs at the root of purity 3/5.
  EXPECT_NEAR(found.leaf, (2.0 * 1.0 + 3.0 * (2.2 / 3.0)) / 5.0, 1e-15);
  EXPECT_NEAR(found.pairs, (1.0 + 2.2) / 4.0, 1e-15);
}

TEST(DendrogramPurity, ClassesOfOneLeafDoNotCount) {
  const Dendrogram tree = {3, {{0, 1, 1.0, 2.0}, {2, 3, 1.0, 3.0}}};
  const DendrogramPurity found = dendrogram_purity(tree, Labels{0, 1, 0});
  EXPECT_NEAR(found.leaf, 2.0 / 3.0, 1e-15);
  EXPECT_NEAR(found.pairs, 2.0 / 3.0, 1e-15);
}

TEST(DendrogramPurity, OneClassIsPure) {
  RandomStream random{2, Purpose::test, 0};
  const DendrogramPurity found = dendrogram_purity(random_tree(30, random), Labels(30, 4));
  EXPECT_NEAR(found.leaf, 1.0, 1e-14);
  EXPECT_NEAR(found.pairs, 1.0, 1e-14);
}

TEST(DendrogramPurity, WithoutAPairIsOne) {
  EXPECT_EQ(dendrogram_purity({1, {}}, Labels{3}).leaf, 1.0);
  EXPECT_EQ(dendrogram_purity({2, {{0, 1, 1.0, 2.0}}}, Labels{3, 4}).pairs, 1.0);
}

TEST(DendrogramPurity, NeedsAClassPerLeaf) {
  const Dendrogram tree = {2, {{0, 1, 1.0, 2.0}}};
  EXPECT_THROW((void)dendrogram_purity(tree, Labels{0, 0, 0}), DataError);
}

// A chain is the deepest tree there is, and every merge adds one leaf.
TEST(DendrogramPurity, TakesLongChains) {
  constexpr std::uint32_t n = 200000;
  Dendrogram chain{n, {{0, 1, 1.0, 2.0}}};
  for (std::uint32_t i = 2; i < n; ++i) chain.merges.push_back({i, n + i - 2, 1.0, i + 1.0});
  Labels classes(n);
  for (std::uint32_t i = 0; i < n; ++i) classes[i] = static_cast<std::int32_t>(i / 2);
  const DendrogramPurity found = dendrogram_purity(chain, classes);
  double expected = 0.0;  // the pair (2j, 2j + 1) is joined below 2j + 2 leaves
  for (std::uint32_t j = 0; j < n / 2; ++j) expected += 2.0 / (2.0 * j + 2.0) / (n / 2.0);
  EXPECT_NEAR(found.pairs, expected, 1e-12);
  EXPECT_NEAR(found.leaf, expected, 1e-12);
}

}  // namespace
}  // namespace coppice::evaluate
