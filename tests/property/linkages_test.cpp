// SPDX-License-Identifier: BSD-3-Clause
// Linkages against the greedy rule word by word, on random rows without ties; and the same tree for any number of
// threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "coppice/data/generate.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "coppice/structure/linkage.hpp"

namespace coppice::internal {
namespace {

constexpr Linkage all_linkages[] = {Linkage::single, Linkage::complete, Linkage::average, Linkage::ward};

Rows random_rows(std::size_t n_rows, std::size_t n_columns, std::uint64_t seed, bool are_weighted = false) {
  RandomStream random{seed, Purpose::test, 17};
  std::vector<double> values(n_rows * n_columns);
  for (double& value : values) value = random.normal();
  Dataset data = Dataset::from_rows(std::move(values), n_rows, n_columns);
  if (are_weighted) {
    std::vector<double> weights(n_rows);
    for (double& weight : weights) weight = 0.5 + 4.0 * random.uniform();
    data = data.with_weights(std::move(weights));
  }
  return {std::move(data), std::vector<double>(n_columns, 0.0)};
}

// Always the closest two clusters, by the definition of their distance, from their members anew every time.
class Greedy {
 public:
  Greedy(const Rows& rows, Linkage kind) : rows_(rows), kind_(kind) {
    for (std::size_t row = 0; row < rows.size(); ++row) members_[static_cast<std::uint32_t>(row)] = {row};
  }

  Dendrogram run() {
    Dendrogram tree{rows_.size(), {}};
    while (members_.size() > 1) {
      const auto [height, a, b] = closest();
      std::vector<std::size_t> joined = members_[a];
      joined.insert(joined.end(), members_[b].begin(), members_[b].end());
      tree.merges.push_back({a, b, height, static_cast<double>(joined.size())});
      members_.erase(a);
      members_.erase(b);
      members_[static_cast<std::uint32_t>(rows_.size() + tree.merges.size() - 1)] = std::move(joined);
    }
    return tree;
  }

 private:
  using Members = std::vector<std::size_t>;

  [[nodiscard]] std::tuple<double, std::uint32_t, std::uint32_t> closest() const {
    std::tuple<double, std::uint32_t, std::uint32_t> best{std::numeric_limits<double>::infinity(), 0, 0};
    for (auto a = members_.begin(); a != members_.end(); ++a) {
      for (auto b = std::next(a); b != members_.end(); ++b) {
        best = std::min(best, {distance(a->second, b->second), a->first, b->first});
      }
    }
    return best;
  }

  [[nodiscard]] double distance(const Members& a, const Members& b) const {
    if (kind_ == Linkage::ward) return std::sqrt(2.0 * (squares(a, b) - squares(a, {}) - squares(b, {})));
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    double sum = 0.0;
    double weight = 0.0;
    for (const std::size_t i : a) {
      for (const std::size_t j : b) {
        const double between = euclidean(i, j);
        least = std::min(least, between);
        most = std::max(most, between);
        sum += rows_.weight(i) * rows_.weight(j) * between;
        weight += rows_.weight(i) * rows_.weight(j);
      }
    }
    return kind_ == Linkage::single ? least : kind_ == Linkage::complete ? most : sum / weight;
  }

  [[nodiscard]] double euclidean(std::size_t i, std::size_t j) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < rows_.n_columns(); ++c) {
      const double difference = rows_.data().value(i, c) - rows_.data().value(j, c);
      sum += difference * difference;
    }
    return std::sqrt(sum);
  }

  // Summed squares of both clusters' members about their common mean.
  [[nodiscard]] double squares(const Members& a, const Members& b) const {
    Members all = a;
    all.insert(all.end(), b.begin(), b.end());
    double total = 0.0;
    for (std::size_t c = 0; c < rows_.n_columns(); ++c) {
      double weight = 0.0;
      double sum = 0.0;
      for (const std::size_t i : all) {
        weight += rows_.weight(i);
        sum += rows_.weight(i) * rows_.data().value(i, c);
      }
      for (const std::size_t i : all) {
        const double difference = rows_.data().value(i, c) - sum / weight;
        total += rows_.weight(i) * difference * difference;
      }
    }
    return total;
  }

  const Rows& rows_;
  Linkage kind_;
  std::map<std::uint32_t, Members> members_;
};

void expect_same_tree(const Dendrogram& found, const Dendrogram& expected, const std::string& where) {
  ASSERT_EQ(found.merges.size(), expected.merges.size()) << where;
  for (std::size_t i = 0; i < found.merges.size(); ++i) {
    ASSERT_EQ(found.merges[i].a, expected.merges[i].a) << where << ", merge " << i;
    ASSERT_EQ(found.merges[i].b, expected.merges[i].b) << where << ", merge " << i;
    ASSERT_EQ(found.merges[i].size, expected.merges[i].size) << where << ", merge " << i;
    ASSERT_NEAR(found.merges[i].height, expected.merges[i].height, 1e-10) << where << ", merge " << i;
  }
}

TEST(Linkages, AreTheGreedyRule) {
  LocalExecution local(2);
  for (const bool are_weighted : {false, true}) {
    for (const std::size_t n_columns : {1U, 2U, 5U}) {
      for (const std::size_t n_rows : {3U, 10U, 60U}) {
        const Rows rows = random_rows(n_rows, n_columns, 100 * n_rows + n_columns, are_weighted);
        for (const Linkage kind : all_linkages) {
          const std::string where = std::string(to_string(kind)) + (are_weighted ? ", weighted" : "");
          expect_same_tree(linkage(local.get(), rows, kind).tree, Greedy(rows, kind).run(), where);
        }
      }
    }
  }
}

// 1,400 rows of 200 columns are scanned by all threads until a quarter is joined, and by one from there on.
TEST(Linkages, AreTheSameForAnyNumberOfThreads) {
  const Rows rows = random_rows(1400, 200, 5);
  for (const Linkage kind : all_linkages) {
    LocalExecution one(1);
    const LinkageTree expected = linkage(one.get(), rows, kind);
    for (const std::size_t n_threads : {2U, 4U}) {
      LocalExecution several(n_threads);
      const LinkageTree found = linkage(several.get(), rows, kind);
      EXPECT_EQ(found.tree, expected.tree) << to_string(kind);
      EXPECT_EQ(found.distances, expected.distances) << to_string(kind);
    }
  }
}

// A grid: nearly all distances tie, and rounded ones must not lead the chain in a circle.
TEST(Linkages, TakeTies) {
  std::vector<double> values;
  for (int x = 0; x < 30; ++x) {
    for (int y = 0; y < 30; ++y) values.insert(values.end(), {0.1 * x, 0.1 * y, 1.0 / 3.0});
  }
  const Rows rows(Dataset::from_rows(std::move(values), 900, 3), {1.4, 1.4, 0.3});
  LocalExecution local(2);
  for (const Linkage kind : all_linkages) {
    const Dendrogram tree = linkage(local.get(), rows, kind).tree;
    ASSERT_EQ(tree.merges.size(), 899U);
    EXPECT_EQ(tree.merges.back().size, 900.0);
    for (std::size_t i = 1; i < tree.merges.size(); ++i) {
      ASSERT_LE(tree.merges[i - 1].height, tree.merges[i].height) << to_string(kind);
    }
    if (kind != Linkage::single) continue;
    EXPECT_NEAR(tree.merges.back().height, 0.1, 1e-12);
  }
}

}  // namespace
}  // namespace coppice::internal
