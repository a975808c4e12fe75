// SPDX-License-Identifier: BSD-3-Clause
// Bayesian k-means of fewer rows than columns: groups that are far apart are found, and noise is one cluster.
#include <gtest/gtest.h>

#include "at_length.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

struct Shape {
  std::size_t n_rows;
  std::size_t n_columns;
  double shift;  // of every group in columns of its own; of two groups, of the second in all columns
};

// Standard normal numbers; `shift` lies between groups.
Generated groups(const Shape& shape, std::size_t k, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 90};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < shape.n_rows; ++row) {
    for (std::size_t column = 0; column < shape.n_columns; ++column) {
      const bool is_shifted = k == 2 ? row % k == 1 : row % k == column % k;
      values.push_back(random.normal() + (is_shifted ? shape.shift : 0.0));
    }
    labels.push_back(static_cast<std::int32_t>(row % k));
  }
  return {Dataset::from_rows(std::move(values), shape.n_rows, shape.n_columns), std::move(labels)};
}

void expect_found(const Shape& shape, std::size_t n_groups) {
  for (std::uint64_t seed = 0; seed < n_cases<std::uint64_t>(2, 10); ++seed) {
    const Generated made = groups(shape, n_groups, seed);
    const Fit found = fit(made.data, BayesianKMeans{});
    EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0)
        << shape.n_rows << " x " << shape.n_columns << ", seed " << seed << ": K = " << found.model.k();
  }
}

// 35, 39, 17, 24, 16 and 21 standard deviations apart.
TEST(BkmWideTables, TwoGroupsAreFound) {
  for (const Shape& shape : {Shape{10, 50, 5.0}, Shape{12, 60, 5.0}, Shape{20, 200, 1.2}, Shape{30, 1000, 0.75},
                             Shape{60, 100, 1.6}, Shape{40, 1200, 0.6}}) {
    expect_found(shape, 2);
  }
}

TEST(BkmWideTables, ThreeGroupsAreFound) {
  for (const Shape& shape : {Shape{21, 200, 2.0}, Shape{30, 1000, 1.2}}) expect_found(shape, 3);
}

// Single rows, which share a mean and a scale under a prior that is sure of both, are no clusters.
TEST(BkmWideTables, NoiseIsOneCluster) {
  const auto n_seeds = n_cases<std::uint64_t>(2, 10);
  for (const Shape& shape : {Shape{12, 40, 0.0}, Shape{30, 300, 0.0}, Shape{30, 1000, 0.0}}) {
    for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
      const Dataset noise = groups(shape, 1, seed).data;
      for (const char* family : {"auto", "diagonal", "spherical"}) {
        EXPECT_EQ(fit(noise, BayesianKMeans{.family = family}).model.k(), 1U)
            << family << ", " << shape.n_rows << " x " << shape.n_columns << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace coppice::internal
