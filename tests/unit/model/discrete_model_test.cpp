// SPDX-License-Identifier: BSD-3-Clause
// Models of counts and of bits take dense and sparse rows alike, and refuse what does not fit.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/model/model.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/family_catalogue.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_columns = 8;

Dataset table(bool are_bits, std::uint64_t seed) {
  return are_bits ? random_bits(400, n_columns, 3, seed) : random_counts(400, n_columns, 3, seed);
}

// The prior differs from column to column.
std::unique_ptr<Components> family(bool are_bits) {
  std::vector<double> psi0;
  std::vector<BetaCounts> omega0;
  for (std::size_t d = 0; d < n_columns; ++d) {
    psi0.push_back(0.1 * static_cast<double>(1 + d));
    omega0.push_back({0.2, 0.05 * static_cast<double>(1 + d)});
  }
  if (are_bits) return std::make_unique<FamilyAdapter<Bernoulli>>(Bernoulli(omega0));
  return std::make_unique<FamilyAdapter<Multinomial>>(Multinomial(psi0));
}

std::vector<std::int32_t> some_labels() {
  std::vector<std::int32_t> labels(400);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 3);
  return labels;
}

Model model_of(bool are_bits) {
  LocalExecution local(1);
  const Rows rows = rows_of(table(are_bits, 1));
  const Units units(rows);
  std::unique_ptr<Components> components = family(are_bits);
  StatsArena stats = statistics_of_list(local.get(), Subset(units), *components, some_labels(), 3);
  return Model({.method = "bkm",
                .columns = rows.data().columns(),
                .origin = std::vector<double>(n_columns, 0.0),
                .components = std::move(components),
                .partition = make_dirichlet_process(1.5),
                .stats = std::move(stats),
                .total_weight = 400.0,
                .objective = 0.0});
}

TEST(DiscreteModel, SparseRowsAreTakenAsDenseOnes) {
  for (const bool are_bits : {false, true}) {
    const Model model = model_of(are_bits);
    const Dataset dense = table(are_bits, 2);
    const Dataset sparse = sparse_copy(dense);
    const Predictions of_dense = model.predict_with_probabilities(dense);
    const Predictions of_sparse = model.predict_with_probabilities(sparse);
    EXPECT_EQ(of_sparse.labels, of_dense.labels);
    EXPECT_EQ(model.predict(sparse), of_dense.labels);
    const std::vector<double> density = model.log_density(dense);
    const std::vector<double> sparse_density = model.log_density(sparse);
    for (std::size_t i = 0; i < density.size(); ++i) {
      EXPECT_NEAR(of_sparse.probabilities[i], of_dense.probabilities[i], 1e-11);
      EXPECT_NEAR(sparse_density[i], density[i], 1e-11 * (1.0 - density[i]));
    }
    EXPECT_EQ(model.score(sparse, some_labels()), model.score(dense, some_labels()));
  }
}

// A model of bits says how probable every row is: all rows together are certain.
TEST(DiscreteModel, DensitiesAreMasses) {
  const Model model = model_of(true);
  std::vector<double> values;
  for (unsigned bits = 0; bits < 1U << n_columns; ++bits) {
    for (unsigned c = 0; c < n_columns; ++c) values.push_back((bits >> c) & 1U);
  }
  double total = 0.0;
  for (const double log_mass : model.log_density(Dataset::from_rows(std::move(values), 1U << n_columns, n_columns))) {
    total += std::exp(log_mass);
  }
  EXPECT_NEAR(total, 1.0, 1e-11);
}

TEST(DiscreteModel, RefusesWhatDoesNotFit) {
  std::vector<double> values(n_columns, 0.0);
  values[2] = 0.5;
  const Dataset wrong = Dataset::from_rows(values, 1, n_columns);
  for (const bool are_bits : {false, true}) {
    const Model model = model_of(are_bits);
    for (const Dataset& rows : {wrong, sparse_copy(wrong)}) {
      EXPECT_THROW((void)model.predict(rows), DataError);
      EXPECT_THROW((void)model.log_density(rows), DataError);
      EXPECT_THROW((void)model.score(rows, std::vector<std::int32_t>{0}), DataError);
    }
  }
}

TEST(DiscreteModel, FamiliesAreFoundByName) {
  for (const bool are_bits : {false, true}) {
    const std::unique_ptr<Components> own = family(are_bits);
    const std::unique_ptr<Components> loaded = make_family(std::string(own->family()), own->prior_arrays());
    EXPECT_EQ(loaded->family(), are_bits ? "bernoulli" : "multinomial");
    EXPECT_EQ(loaded->prior_arrays(), own->prior_arrays());
    EXPECT_TRUE(loaded->takes_sparse_rows());
  }
}

}  // namespace
}  // namespace coppice::internal
