// SPDX-License-Identifier: BSD-3-Clause
// A family from outside the library goes through inference, search and the registry without a line of the library
// changed.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/family/adapter.hpp"
#include "coppice/family/discrete_data.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "coppice/structure/family_catalogue.hpp"
#include "coppice/structure/search.hpp"
#include "coppice/write/model_archive.hpp"
#include "property/poisson_family.hpp"

namespace coppice::internal {
namespace {

using outside::Poisson;

constexpr std::size_t n_rows = 600;

// Knuth's method: arrivals until time 1.
double draw_count(double rate, RandomStream& random) {
  double count = -1.0;
  for (double product = 1.0; product > std::exp(-rate); ++count) product *= random.uniform();
  return count;
}

// Rows of even number have rate 3, the others rate 40; more than one block of rows.
Rows two_groups() {
  RandomStream random{11, Purpose::test};
  std::vector<double> counts(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) counts[row] = draw_count(row % 2 == 0 ? 3.0 : 40.0, random);
  return Rows(Dataset::from_rows(counts, n_rows, 1), {0.0});
}

struct Example {
  Rows rows = two_groups();
  Units units{rows};
  FamilyAdapter<Poisson> components{Poisson(1.0, 0.1)};
  LocalExecution execution{2};
  std::unique_ptr<PartitionPrior> partition;

  explicit Example(std::unique_ptr<PartitionPrior> prior) : partition(std::move(prior)) {}
  [[nodiscard]] Problem problem() const { return {units, components, *partition, static_cast<double>(n_rows)}; }
};

void expect_two_groups(const State& state) {
  ASSERT_EQ(state.k(), 2U);
  const std::vector<std::int32_t> labels = state.labels.by_row();
  std::size_t n_right = 0;
  for (std::size_t row = 0; row < n_rows; ++row) n_right += labels[row] == labels[row % 2] ? 1 : 0;
  EXPECT_NE(labels[0], labels[1]);
  EXPECT_EQ(n_right, n_rows);
}

void check_search(std::unique_ptr<PartitionPrior> partition) {
  Example example(std::move(partition));
  const Problem problem = example.problem();
  std::vector<double> seen;
  Journal journal({.observer = [&](const State& state) {
    seen.push_back(state.objective);
    return Next::carry_on;
  }});
  MaximizationExpectation me(example.execution.get(), problem, journal);
  State state = me.single_cluster();
  const double start = state.objective;
  search_split_merge(me, state, {});

  expect_two_groups(state);
  EXPECT_LT(state.objective, start);
  EXPECT_NEAR(state.objective, problem.objective(state.stats), 1e-8);
  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_LE(seen[i], seen[i - 1] + negligible(seen[i - 1], n_rows)) << i;
}

TEST(ToyFamily, SearchFindsTheTwoGroups) { check_search(make_dirichlet(2.0)); }

TEST(ToyFamily, SearchFindsTheTwoGroupsUnderTheDirichletProcess) { check_search(make_dirichlet_process(1.0)); }

// Every sweep from bad labels lowers the objective, down to the two groups.
TEST(ToyFamily, SweepsOnlyImprove) {
  Example example(make_dirichlet(2.0));
  const Problem problem = example.problem();
  Journal journal;
  MaximizationExpectation me(example.execution.get(), problem, journal);
  std::vector<std::int32_t> labels(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) labels[row] = row % 10 == 0 || row % 2 == 1 ? 1 : 0;
  State state = me.from_labels(labels);
  double before = state.objective;
  std::size_t n_sweeps = 0;
  while (me.sweep(state)) {
    EXPECT_LT(state.objective, before);
    before = state.objective;
    ++n_sweeps;
  }
  EXPECT_GT(n_sweeps, 0U);
  expect_two_groups(state);
}

// The family itself is right: log evidence = - sum of costs - KL(posterior || prior).
TEST(ToyFamily, EvidenceIsMinusCostsMinusDivergence) {
  const Example example(make_dirichlet(2.0));
  const Poisson& family = example.components.get();
  std::vector<double> stats(family.stats_size(), 0.0);
  BlockBuffer buffer(1);
  for (std::size_t first = 0; first < n_rows; first += 200) {
    RowBlock block(example.rows, first, 200, buffer);
    family.add(stats, block, {});
  }
  const Poisson::Posterior q = family.posterior(stats);
  const double expected = -family.node_cost(q, stats) - family.kl_to_prior(q);
  EXPECT_NEAR(family.log_evidence(stats), expected, 1e-9 * std::abs(expected));
}

TEST(ToyFamily, TheTieScaleKeepsItsPromise) {
  const Poisson family(1.0, 0.1);
  for (const double mean : {0.0, 0.5, 3.0, 40.0}) {
    const Poisson::Posterior q = family.posterior(std::vector<double>{10.0, 10.0 * mean, 0.0, 0.0});
    const TieScale promise = family.tie_scale(q);
    for (double x = 0.0; x < 300.0; ++x) {
      const ExactCost cost = family.exact_cost(q, std::vector<double>{x});
      EXPECT_LE(cost.scale, promise.ratio * (cost.value - promise.floor) * (1.0 + 1e-12)) << mean << ' ' << x;
    }
  }
}

TEST(ToyFamily, PlugInCostsAreMinusTheLogDensityAtTheMeanRate) {
  FamilyAdapter<Poisson> clusters(Poisson(1.0, 0.1));
  clusters.update(StatsArena(std::vector<double>{10.0, 30.0, 0.0, 0.0}, 4));
  const std::unique_ptr<Components> plug_in = clusters.plug_in();
  const double rate = 31.0 / 10.1;
  const Rows rows = two_groups();
  BlockBuffer buffer(1);
  RowBlock block(rows, 0, 200, buffer);
  std::vector<double> costs(kernels::panel_stride);
  plug_in->costs({}, block, costs.data());
  for (std::size_t row = 0; row < block.n_rows(); ++row) {
    const double x = rows.data().value(row, 0);
    const double log_density = x * std::log(rate) - rate - std::lgamma(x + 1.0);
    EXPECT_NEAR(costs[row], -log_density, 1e-12 * (1.0 + std::abs(log_density)));
  }
}

TEST(ToyFamily, NeedsNoBounds) {
  const Example example(make_dirichlet(2.0));
  EXPECT_EQ(example.components.box_test({}), nullptr);
}

// What a program writes once for a family of its own.
void register_poisson() {
  if (find_family("poisson") != nullptr) return;
  FamilyEntry entry = family_entry_of<Poisson>("poisson");
  entry.columns = ColumnsTaken::counts;
  entry.check_rows = check_counts;
  entry.make_prior = [](const PriorSource& source) {
    if (source.rows().n_columns() != 1) throw OptionError("poisson takes one column");
    return make_fixed_prior(std::make_unique<FamilyAdapter<Poisson>>(Poisson(1.0, 0.1)));
  };
  register_family(std::move(entry));
}

TEST(ToyFamily, IsFoundAgainByItsName) {
  register_poisson();
  const NamedArrays prior = Poisson(1.5, 0.25).to_arrays();
  const std::unique_ptr<Components> found = make_family("poisson", prior);
  EXPECT_EQ(found->family(), "poisson");
  EXPECT_EQ(found->prior_arrays(), prior);
  const std::vector<std::string> names = family_names();
  EXPECT_NE(std::ranges::find(names, "poisson"), names.end());
  EXPECT_THROW(register_family("poisson", {}), OptionError);
  EXPECT_THROW((void)make_family("binomial", prior), DataError);
}

TEST(ToyFamily, IsNamedInAFitAndItsModelLoads) {
  register_poisson();
  const Rows rows = two_groups();
  const BayesianKMeans method{.family = "poisson", .seed = 3};
  const Fit fit = coppice::fit(rows.data(), method);
  EXPECT_EQ(fit.model.k(), 2U);
  EXPECT_EQ(fit.model.components().family(), "poisson");
  std::size_t n_right = 0;
  for (std::size_t row = 0; row < n_rows; ++row) n_right += fit.labels[row] == fit.labels[row % 2] ? 1 : 0;
  EXPECT_EQ(n_right, n_rows);
  EXPECT_NEAR(score(rows.data(), fit.labels, method), fit.model.objective(), 1e-8);

  const Model loaded = parse_model(model_bytes(fit.model), "poisson.coppice");
  EXPECT_EQ(loaded, fit.model);
  EXPECT_EQ(loaded.predict(rows.data()), fit.model.predict(rows.data()));
}

TEST(ToyFamily, OtherRowsAndOptionsAreRefused) {
  register_poisson();
  const Dataset halves = Dataset::from_rows(std::vector<double>{0.5, 1.0, 2.0}, 3, 1);
  EXPECT_THROW((void)coppice::fit(halves, BayesianKMeans{.family = "poisson"}), DataError);
  const Dataset counts = Dataset::from_rows(std::vector<double>{4.0, 1.0, 2.0}, 3, 1);
  EXPECT_THROW((void)coppice::fit(counts, BayesianKMeans{.family = "poisson", .psi0 = 1.0}), OptionError);
  EXPECT_THROW((void)coppice::fit(counts, BayesianKMeans{.family = "poisson", .outliers = true}), OptionError);
  EXPECT_THROW((void)coppice::fit(counts, BayesianKMeans{.family = "binomial"}), OptionError);
  EXPECT_THROW((void)coppice::fit(counts, AgglomerativeBayesian{.family = "poisson"}), OptionError)
      << "it does not say that single rows have an evidence";
}

}  // namespace
}  // namespace coppice::internal
