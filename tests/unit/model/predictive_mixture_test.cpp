// SPDX-License-Identifier: BSD-3-Clause
#include "model/predictive_mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/family/student.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "model/near_rows.hpp"
#include "unit/model/model_examples.hpp"

namespace coppice::internal {
namespace {

// All log joint densities, from the definition: nothing is left out.
std::vector<double> all_joints(const Model& model, const Dataset& data) {
  const auto clusters = model.components().clone();
  StatsArena stats = model.stats();
  const std::vector<double> sizes = stats.weights();
  std::vector<double> factors = log_shares_of(model.partition(), sizes, model.total_weight());
  factors.push_back(model.partition().log_remainder(sizes, model.total_weight()));
  if (std::isfinite(factors.back())) {
    stats.append(std::vector<double>(stats.stats_size(), 0.0));
  } else {
    factors.pop_back();
  }
  clusters->update(stats);
  const Rows rows(data, {model.origin().begin(), model.origin().end()});
  std::vector<double> joints;
  BlockBuffer buffer(rows.n_columns());
  std::vector<double> density(factors.size() * kernels::panel_stride);
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    RowBlock block(rows, row, 1, buffer);
    clusters->log_predictive({}, block, density.data());
    for (std::size_t c = 0; c < factors.size(); ++c) joints.push_back(factors[c] + density[c * kernels::panel_stride]);
  }
  return joints;
}

// Each cluster of a grid by its true label.
template <class F>
Model grid_model(F family, std::size_t side, std::unique_ptr<PartitionPrior> partition = make_dirichlet(2.0)) {
  const Generated grid = generate(BirchGrid{.side = side, .rows_per_cluster = 60, .seed = 1});
  LocalExecution local(1);
  const Rows rows(grid.data, {1.0, 2.0});
  auto components = std::make_unique<FamilyAdapter<F>>(std::move(family));
  StatsArena stats = statistics_of_list(local.get(), Subset(Units(rows)), *components, grid.labels, side * side);
  return Model({.method = "bkm",
                .columns = grid.data.columns(),
                .origin = {1.0, 2.0},
                .components = std::move(components),
                .partition = std::move(partition),
                .stats = std::move(stats),
                .total_weight = static_cast<double>(grid.data.n_rows())});
}

std::vector<Model> models_of_a_grid() {
  const NormalWishart wishart = plain_prior(2);
  const NormalGamma gammas{{0.0, 0.0}, 0.1, 1.0, {1.0, 1.0}, {0.1, 0.0}};
  const NormalGamma gamma{{0.0, 0.0}, 0.1, 1.0, {1.0}, {}};
  std::vector<Model> models;
  models.push_back(grid_model(Gaussian(wishart), 6));
  models.push_back(grid_model(Gaussian(wishart), 6, make_dirichlet_process(1.0)));
  models.push_back(grid_model(DiagonalGaussian(gammas), 6));
  models.push_back(grid_model(SphericalGaussian(gamma), 6));
  models.push_back(grid_model(Student(wishart, 5.0), 6));
  models.push_back(grid_model(StudentDiagonal(gammas, 5.0), 6));
  models.push_back(grid_model(StudentSpherical(gamma, 5.0), 6));
  models.push_back(grid_model(PointGaussian(2, 1e-3), 6, make_shares()));
  models.push_back(grid_model(PointDiagonal(2, 1e-3), 6, make_shares()));
  models.push_back(grid_model(PointSpherical(2, 1e-3), 6, make_shares()));
  return models;
}

// Rows of the grid, between its clusters, and far out: what is left out changes no probability and no density.
TEST(PredictiveMixture, LeavesOutWhatChangesNothing) {
  std::vector<double> values;
  RandomStream random{2, Purpose::test, 23};
  for (int i = 0; i < 6000; ++i) values.push_back(random.uniform(-10.0, 45.0));
  for (const double far : {1e3, -1e3, 1e4, 0.0}) values.push_back(far);
  const Dataset rows = Dataset::from_rows(values, values.size() / 2, 2);
  for (const Model& model : models_of_a_grid()) {
    SCOPED_TRACE(model.components().family());
    const std::vector<double> joints = all_joints(model, rows);
    const std::size_t n_components = joints.size() / rows.n_rows();
    const std::size_t width = model.probability_names().size();
    const std::vector<double> found = model.all_probabilities(rows);
    const std::vector<double> density = model.log_density(rows);
    const bool is_exact_mass = model.components().log_mass(0) == 0.0;
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      const std::span<const double> of_row = std::span(joints).subspan(row * n_components, n_components);
      const double total = kernels::log_sum_exp(of_row);
      for (std::size_t c = 0; c < n_components; ++c) {
        ASSERT_NEAR(found[row * width + c], std::exp(of_row[c] - total), 1e-12) << row << ", " << c;
      }
      if (is_exact_mass) {
        ASSERT_NEAR(density[row], total, 1e-12 * (1.0 + std::abs(total))) << row;
      }
    }
  }
}

TEST(PredictiveMixture, LeavesOutMostOfManyClusters) {
  const Model model = grid_model(SphericalGaussian({{0.0, 0.0}, 0.1, 1.0, {1.0}, {}}), 20);
  const Generated grid = generate(BirchGrid{.side = 20, .rows_per_cluster = 60, .seed = 1});
  LocalExecution local(2);
  const PredictiveMixture mixture(local.get(), model, ClusterMass::of_evidence);
  std::atomic<std::size_t> n_asked = 0;
  mixture.for_each_row(local.get(), Rows(grid.data, {1.0, 2.0}), {0, grid.labels},
                       [&](const PredictiveMixture::OfRow& of) { n_asked += of.components.size(); });
  EXPECT_LT(n_asked, grid.data.n_rows() * 400 / 4);
}

// More rows than are grouped at once.
TEST(PredictiveMixture, TakesAllRowsOfALongTable) {
  const Model model = example_model(1, 1);
  const Dataset rows = scattered_rows(1100000, 1, 5, 24);
  const std::vector<double> found = model.log_density(rows);
  for (const std::size_t row : {0U, 1U, 500000U, 1048575U, 1048576U, 1048577U, 1099999U}) {
    const Dataset one = Dataset::from_rows(std::vector<double>{rows.value(row, 0)}, 1, 1);
    ASSERT_EQ(found[row], model.log_density(one)[0]) << row;
  }
}

TEST(NearRows, AreAllRowsOnceClusterByCluster) {
  const std::vector<std::int32_t> near = random_labels(5000, 8, 1);
  std::vector<std::int32_t> shifted;
  for (const std::int32_t cluster : near) shifted.push_back(cluster - 1);
  const NearRows groups(100, shifted, 9);
  std::vector<int> n_seen(5000, 0);
  std::int32_t last = -1;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto [rows, cluster] = groups[group];
    ASSERT_TRUE(!rows.empty() && rows.size() <= kernels::panel_rows);
    ASSERT_GE(cluster, last);
    last = cluster;
    ASSERT_TRUE(std::ranges::is_sorted(rows));
    for (const std::size_t row : rows) {
      ++n_seen[row - 100];
      ASSERT_EQ(shifted[row - 100], cluster);
    }
  }
  EXPECT_EQ(std::ranges::count(n_seen, 1), 5000);
  EXPECT_EQ(NearRows(0, {}, 4).size(), 0U);
}

}  // namespace
}  // namespace coppice::internal
