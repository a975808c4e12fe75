// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A table twice, as rows and in a kd-tree, for the tests that compare both.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "coppice/assign/assign.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {

using LabelList = std::vector<std::int32_t>;

class TreeExample {
 public:
  TreeExample(Dataset data, std::vector<double> origin, std::size_t capacity = 16)
      : rows_(std::move(data), std::move(origin)),
        family_(plain_gaussian(rows_.n_columns())),
        tree_(local_.get(), rows_, capacity),
        stats_(node_statistics(local_.get(), tree_, family_)),
        tree_units_{tree_, stats_},
        leaves_{tree_units_, std::make_shared<const Front>(Front::of_leaves(tree_))} {}
  explicit TreeExample(const Dataset& data, std::size_t capacity = 16)
      : TreeExample(data, std::vector<double>(data.n_columns(), 0.0), capacity) {}
  TreeExample(const TreeExample&) = delete;
  TreeExample& operator=(const TreeExample&) = delete;

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const KdTree& tree() const noexcept { return tree_; }
  [[nodiscard]] const StatsArena& stats() const noexcept { return stats_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return rows_.n_columns(); }
  [[nodiscard]] const FamilyAdapter<Gaussian>& family() const noexcept { return family_; }
  [[nodiscard]] Units listed() const { return Units(rows_); }
  [[nodiscard]] Units in_tree() const { return Units(tree_units_); }
  [[nodiscard]] Units tied() const { return Units(leaves_); }  // every leaf is one unit
  [[nodiscard]] Execution execution() { return local_.get(); }

  // The largest number that statistics are summed from.
  [[nodiscard]] double reach() const {
    double reach = 0.0;
    for (const double value : tree_.box(0).low) reach = std::max(reach, std::abs(value));
    for (const double value : tree_.box(0).high) reach = std::max(reach, std::abs(value));
    return reach;
  }

 private:
  LocalExecution local_{1};
  Rows rows_;
  FamilyAdapter<Gaussian> family_;
  KdTree tree_;
  StatsArena stats_;
  TreeUnits tree_units_;
  FrontUnits leaves_;
};

// Every row to the nearest of k rows that are drawn at random: clusters with borders, as inference meets them. Where
// rows are drawn twice, clusters stay empty.
inline LabelList labels_by_distance(const Rows& rows, std::size_t k, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 60};
  std::vector<std::vector<double>> centres(k, std::vector<double>(rows.n_columns()));
  for (std::vector<double>& centre : centres) rows.copy_row(random.below(rows.size()), centre);
  LabelList labels(rows.size());
  std::vector<double> row(rows.n_columns());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows.copy_row(i, row);
    const auto distance = [&](const std::vector<double>& centre) {
      double sum = 0.0;
      for (std::size_t c = 0; c < row.size(); ++c) sum += (row[c] - centre[c]) * (row[c] - centre[c]);
      return sum;
    };
    labels[i] = static_cast<std::int32_t>(std::ranges::min_element(centres, {}, distance) - centres.begin());
  }
  return labels;
}

// Labels -1 (none yet) to k - 1.
inline LabelList random_present(std::size_t n, std::size_t k, std::uint64_t seed) {
  LabelList labels = random_labels(n, k + 1, seed);
  for (std::int32_t& label : labels) --label;
  return labels;
}

// K clusters and their offsets.
struct Clusters {
  Clusters(const StatsArena& stats, NormalWishart prior, std::vector<double> given_offsets = {})
      : components(Gaussian(std::move(prior))), offsets(std::move(given_offsets)) {
    components.update(stats);
    offsets.resize(stats.size(), 0.5);
  }
  [[nodiscard]] std::size_t k() const { return offsets.size(); }

  FamilyAdapter<Gaussian> components;
  std::vector<double> offsets;
};

// Clusters of the rows themselves, as in the middle of a fit.
inline Clusters clusters_of(TreeExample& example, std::size_t k, std::uint64_t seed) {
  const Labels labels(labels_by_distance(example.rows(), k, seed));
  RandomStream random{seed, Purpose::test, 61};
  std::vector<double> offsets(k);
  for (double& offset : offsets) offset = random.uniform(0.0, 2.0);
  return {statistics_of(example.execution(), example.listed(), example.family(), labels, k),
          plain_prior(example.n_columns()), std::move(offsets)};
}

// Sums over up to 30,000 numbers in another order: 1e-11 of what they add up.
inline void expect_close_statistics(const StatsArena& a, const StatsArena& b, const TreeExample& example) {
  ASSERT_EQ(a.size(), b.size());
  const double reach = example.reach();
  for (std::size_t c = 0; c < a.size(); ++c) {
    for (std::size_t i = 0; i < a.stats_size(); ++i) {
      const double size = i == 0 ? b.weight(c) : i <= example.n_columns() ? reach : b.weight(c) * reach * reach;
      ASSERT_NEAR(a[c][i], b[c][i], 1e-11 * size) << "cluster " << c << ", number " << i;
    }
  }
}

// Every value of a table replaced by change(value, column).
template <class Change>
Dataset changed(const Dataset& data, const Change& change) {
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(values[i], i % data.n_columns());
  return Dataset::from_rows(std::move(values), data.n_rows(), data.n_columns());
}

inline Dataset rounded(const Dataset& data, double step) {
  return changed(data, [&](double value, std::size_t) { return step * std::round(value / step); });
}

}  // namespace coppice::internal
