// SPDX-License-Identifier: BSD-3-Clause
// Nodes in panels, and nodes of which a cluster has a share: for every family.
#include "coppice/family/node_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/family/student.hpp"
#include "coppice/family/uninformative.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

NormalGamma axis_prior(std::size_t d, std::size_t n_scales) {
  return {random_values(d, d + 7, 1.0), 0.3, 2.5, std::vector<double>(n_scales, 0.8), {}};
}

// One of each, for rows of d columns.
template <class F>
F example(std::size_t d) {
  if constexpr (std::same_as<F, Gaussian>) return Gaussian(random_prior(d, d));
  if constexpr (std::same_as<F, Student>) return Student(random_prior(d, d), 4.0);
  if constexpr (std::same_as<F, UninformativeGaussian>) return UninformativeGaussian(d, 3.0);
  if constexpr (std::same_as<F, DiagonalGaussian>) return DiagonalGaussian(axis_prior(d, d));
  if constexpr (std::same_as<F, SphericalGaussian>) return SphericalGaussian(axis_prior(d, 1));
  if constexpr (std::same_as<F, PointGaussian>) return PointGaussian(d, 1e-3);
  if constexpr (std::same_as<F, PointDiagonal>) return PointDiagonal(d, 1e-3);
  if constexpr (std::same_as<F, PointSpherical>) return PointSpherical(d, 1e-3);
  if constexpr (std::same_as<F, Centroid>) return Centroid(d);
  if constexpr (std::same_as<F, Multinomial>) return Multinomial(d, 0.3);
  if constexpr (std::same_as<F, Bernoulli>) return Bernoulli(d, 0.3);
}

template <class F>
Rows example_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
  std::vector<double> values = random_values(n * d, seed);
  for (double& value : values) {
    if constexpr (std::same_as<F, Multinomial>) value = std::floor(std::abs(value));
    if constexpr (std::same_as<F, Bernoulli>) value = value > 0.5 ? 1.0 : 0.0;
  }
  return make_rows(std::move(values), d);
}

template <class F>
class Nodes : public testing::Test {};
using Families = testing::Types<Gaussian, Student, UninformativeGaussian, DiagonalGaussian, SphericalGaussian,
                                PointGaussian, PointDiagonal, PointSpherical, Centroid, Multinomial, Bernoulli>;
TYPED_TEST_SUITE(Nodes, Families);

constexpr std::size_t most_columns = 20;
constexpr std::size_t rows_per_cluster = 30;  // more than columns: the uninformative family needs them
constexpr std::size_t k = 3;

template <class F>
std::unique_ptr<FamilyAdapter<F>> clusters_of(std::size_t d) {
  auto clusters = std::make_unique<FamilyAdapter<F>>(example<F>(d));
  StatsArena stats(0, clusters->stats_size());
  for (std::size_t c = 0; c < k; ++c) {
    stats.append(stats_of(clusters->get(), example_rows<F>(rows_per_cluster, d, 100 * d + c)));
  }
  clusters->update(stats);
  return clusters;
}

// Nodes of 0, 1, 2, ... rows, with weights.
template <class F>
StatsArena nodes_of(const F& family, std::size_t n, std::size_t d) {
  const Rows rows = example_rows<F>(n * n, d, d + 3);
  const std::vector<double> weights = random_weights(rows.size(), d);
  StatsArena nodes(0, family.stats_size());
  for (std::size_t i = 0; i < n; ++i) nodes.append(stats_of(family, rows, i * i, i * i + i, weights));
  return nodes;
}

template <class F>
void expect_costs_one_by_one(std::size_t n_nodes, std::size_t d) {
  const auto clusters = clusters_of<F>(d);
  const StatsArena arena = nodes_of(clusters->get(), n_nodes, d);
  std::vector<ConstStatsRef> nodes;
  for (std::size_t i = 0; i < n_nodes; ++i) nodes.push_back(std::as_const(arena)[i]);
  std::vector<double> out(k * kernels::panel_stride, -1.0);
  clusters->node_costs()->costs(nodes, out.data());
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < n_nodes; ++i) {
      const double expected = clusters->node_cost(c, nodes[i]);
      EXPECT_NEAR(out[c * kernels::panel_stride + i], expected, 1e-12 * (1.0 + std::abs(expected)))
          << d << " columns, cluster " << c << ", node " << i;
    }
  }
}

TYPED_TEST(Nodes, InAPanelCostWhatTheyCostOneByOne) {
  for (std::size_t d = 1; d <= most_columns; ++d) expect_costs_one_by_one<TypeParam>(7, d);
  for (const std::size_t n : {1U, 16U, 17U, 40U}) expect_costs_one_by_one<TypeParam>(n, 3);
}

// Numbers that differ by rounding alone.
void expect_same(ConstStatsRef actual, ConstStatsRef expected) {
  double size = 1.0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-12 * size) << i;
}

// Statistics of rows of weight w are those of the rows with a factor of w.
TYPED_TEST(Nodes, ScaledAreThoseOfRowsOfThatWeight) {
  for (const std::size_t d : {1U, 2U, 5U, 12U}) {
    const TypeParam family = example<TypeParam>(d);
    const Rows rows = example_rows<TypeParam>(40, d, d);
    for (const double factor : {0.3, 1.0, 2.5}) {
      Stats scaled(family.stats_size(), 0.0);
      family.add_scaled(scaled, stats_of(family, rows), factor);
      expect_same(scaled, stats_of(family, rows, std::vector<double>(40, factor)));
    }
  }
}

// Parts of a node make up the whole, also on top of what is there.
TYPED_TEST(Nodes, PartsAddUpToTheWhole) {
  for (const std::size_t d : {1U, 2U, 5U, 12U}) {
    const TypeParam family = example<TypeParam>(d);
    const Stats node = stats_of(family, example_rows<TypeParam>(40, d, d), random_weights(40, d));
    const Stats other = stats_of(family, example_rows<TypeParam>(20, d, d + 1));
    Stats whole = other;
    family.merge(whole, node);
    Stats parts = other;
    for (const double share : {0.25, 0.65, 0.1}) family.add_scaled(parts, node, share);
    expect_same(parts, whole);
    Stats nothing = other;
    family.add_scaled(nothing, node, 0.0);
    expect_same(nothing, other);
  }
}

// A family has the capability or says that it lacks it.
TYPED_TEST(Nodes, SingleRowsMoveOrAnErrorSaysThatTheyDoNot) {
  const auto clusters = clusters_of<TypeParam>(2);
  EXPECT_EQ(clusters->moves_single_rows(), MovesSingleRows<TypeParam>);
  if (clusters->moves_single_rows()) return;
  const Rows rows = example_rows<TypeParam>(5, 2, 1);
  Stats stats = stats_of(clusters->get(), rows);
  EXPECT_THROW(clusters->subtract(stats, Stats(stats)), std::logic_error);
  BlockBuffer buffer(2);
  RowBlock block(rows, 0, 5, buffer);
  std::vector<double> out(kernels::panel_stride);
  EXPECT_THROW(clusters->log_held_out(0, block, out.data()), std::logic_error);
}

}  // namespace
}  // namespace coppice::internal
