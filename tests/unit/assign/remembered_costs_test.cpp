// SPDX-License-Identifier: BSD-3-Clause
// Sweeps that remember the last one against plain ones, bit by bit.
#include "assign/remembered_costs.hpp"

#include <gtest/gtest.h>

#include "coppice/assign/naive.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/diagonal.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;
constexpr std::size_t d = 6;

std::unique_ptr<Components> diagonal_family() {
  return std::make_unique<FamilyAdapter<DiagonalGaussian>>(
      DiagonalGaussian({std::vector<double>(d, 0.0), 0.1, 2.0, std::vector<double>(d, 1.0), {}}));
}

// Rows, and clusters that are made, split, merged and swept.
struct Ground {
  Ground(const Dataset& data, std::unique_ptr<Components> of_family, std::size_t n_threads = 1)
      : local(n_threads),
        rows(data, std::vector<double>(data.n_columns(), 0.0)),
        units(rows),
        clusters(std::move(of_family)) {}

  // A sweep of both kinds over clusters of these labels.
  LabelList sweep(const LabelList& labels, std::size_t k) {
    const StatsArena stats = statistics_of_list(local.get(), Subset(units), *clusters, labels, k);
    clusters->update(local.get(), stats);
    std::vector<double> offsets;
    for (std::size_t c = 0; c < k; ++c) offsets.push_back(0.1 * static_cast<double>(c / 2 % 3));
    const Assignment plain = assign(local.get(), Subset(units), *clusters, offsets, Labels(labels));
    const std::optional<Assignment> found = memory.sweep(local.get(), units, *clusters, offsets, Labels(labels));
    EXPECT_TRUE(found.has_value());
    if (!found) return labels;
    EXPECT_EQ(found->labels, plain.labels);
    EXPECT_EQ(found->stats, plain.stats);
    EXPECT_EQ(found->data_term, plain.data_term);
    EXPECT_EQ(found->distances, plain.distances);
    const std::span<const std::int32_t> list = found->labels.list();
    return {list.begin(), list.end()};
  }

  LocalExecution local;
  Rows rows;
  Units units;
  std::unique_ptr<Components> clusters;
  RememberedCosts memory;
};

void split_and_merge(Ground& ground, std::size_t n_rows, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 3};
  std::size_t k = 7;
  LabelList labels = random_labels(n_rows, k, seed);
  for (std::size_t round = 0; round < 12; ++round) {
    labels = ground.sweep(labels, k);
    if (round % 3 != 2) continue;  // else another sweep from where this one came to
    const auto one = static_cast<std::int32_t>(random.below(k - 1));
    if (round % 2 == 0) {  // a cluster falls into two, and once into so many that there is no place left for them
      const std::size_t n_new = round == 8 ? 9 : 1;
      for (std::size_t row = 0; row < n_rows; ++row) {
        const std::size_t part = row % (n_new + 1);
        if (labels[row] == one && part > 0) labels[row] = static_cast<std::int32_t>(k + part - 1);
      }
      k += n_new;
    } else {  // the last one joins it
      for (std::int32_t& label : labels) label = label == static_cast<std::int32_t>(k) - 1 ? one : label;
      --k;
    }
  }
}

TEST(RememberedCosts, AreThoseOfPlainSweeps) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Ground gaussian(scattered_rows(700, d, 6, seed, 1.0), plain_gaussian(d).clone());
    split_and_merge(gaussian, 700, seed);
    Ground diagonal(as_float32(scattered_rows(700, d, 6, seed, 1.0)), diagonal_family());
    split_and_merge(diagonal, 700, seed);
  }
}

TEST(RememberedCosts, WithWeightsAndSeveralBlocksAndThreads) {
  const Dataset data = scattered_rows(9000, d, 6, 1, 1.0).with_weights(some_weights(9000, 1));
  Ground ground(data, plain_gaussian(d).clone(), 3);
  split_and_merge(ground, 9000, 5);
}

// Rows that lie between two clusters alike keep the label they have.
TEST(RememberedCosts, TiesKeepThePresentLabel) {
  std::vector<double> values;
  LabelList labels;
  for (std::size_t row = 0; row < 60; ++row) {
    const double side = row % 2 == 0 ? -1.0 : 1.0;
    for (std::size_t c = 0; c < d; ++c) values.push_back(c == 0 ? side : 0.25 * static_cast<double>(row / 2 % 5));
    labels.push_back(static_cast<std::int32_t>(row % 2));
  }
  for (std::size_t c = 0; c < 2 * d; ++c) values.push_back(0.0);  // two rows in the middle
  labels.insert(labels.end(), {0, 1});
  Ground ground(Dataset::from_rows(values, 62, d), plain_gaussian(d).clone());
  EXPECT_EQ(ground.sweep(labels, 2), labels);
  EXPECT_EQ(ground.sweep(labels, 2), labels);
}

TEST(RememberedCosts, NothingOfOtherClusters) {
  Ground ground(scattered_rows(300, d, 4, 2), plain_gaussian(d).clone());
  const LabelList labels = random_labels(300, 4, 2);
  (void)ground.sweep(labels, 4);
  ground.clusters = plain_gaussian(d, 7.0).clone();  // of the same statistics by another prior
  (void)ground.sweep(labels, 4);
}

TEST(RememberedCosts, WhereRememberingDoesNotPay) {
  const std::vector<double> offsets(3, 0.0);
  const auto remembers = [&](const Dataset& data, std::unique_ptr<Components> family) {
    Ground ground(data, std::move(family));
    const LabelList labels = random_labels(data.n_rows(), 3, 1);
    ground.clusters->update(statistics_of_list(ground.local.get(), Subset(ground.units), *ground.clusters, labels, 3));
    return ground.memory.sweep(ground.local.get(), ground.units, *ground.clusters, offsets, Labels(labels)).has_value();
  };
  EXPECT_TRUE(remembers(scattered_rows(300, d, 4, 2), plain_gaussian(d).clone()));
  EXPECT_FALSE(remembers(scattered_rows(300, 4, 4, 2), plain_gaussian(4).clone())) << "few columns";
  EXPECT_FALSE(remembers(scattered_rows(300, d, 4, 2), std::make_unique<FamilyAdapter<Centroid>>(Centroid(d))));
}

}  // namespace
}  // namespace coppice::internal
