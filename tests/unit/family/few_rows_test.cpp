// SPDX-License-Identifier: BSD-3-Clause
// Clusters of fewer rows than columns work by matrices of rows x rows. One entry of B0 beside the diagonal that is next
// to nothing makes the family take the matrix of columns x columns: both must say the same.
#include "family/few_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "coppice/family/student.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t d = 96;

NormalWishart diagonal_prior(std::uint64_t seed) {
  NormalWishart prior{random_values(d, seed, 0.3), 0.2, static_cast<double>(d) + 1.5, std::vector<double>(d * d, 0.0)};
  RandomStream random{seed, Purpose::test, 3};
  for (std::size_t i = 0; i < d; ++i) prior.b0[i * (d + 1)] = random.uniform(0.5, 4.0);
  return prior;
}

NormalWishart with_rounding(NormalWishart prior) {
  for (std::size_t i = 0; i < d; ++i) prior.rounding.push_back(i % 3 == 0 ? 0.0 : 0.05 * static_cast<double>(i % 7));
  return prior;
}

NormalWishart with_multiples(NormalWishart prior) {
  for (double log_f = -3.0; log_f <= 3.0; log_f += 0.04) prior.multiples.push_back(std::exp(log_f));
  prior.multiples_decay = 2.0;
  return prior;
}

NormalWishart not_diagonal(NormalWishart prior) {
  prior.b0[1] = prior.b0[d] = 1e-14;
  return prior;
}

struct Case {
  std::string name;
  NormalWishart prior;
  Rows rows;
  std::vector<double> weights;
};

std::vector<Case> cases() {
  const NormalWishart prior = diagonal_prior(1);
  std::vector<double> twice = random_values(9 * d, 4);
  twice.insert(twice.end(), twice.begin(), twice.end());
  std::vector<double> constant = random_values(12 * d, 5);
  for (std::size_t row = 0; row < 12; ++row) constant[row * d + 7] = 3.0;
  return {{"plain", prior, random_rows(20, d, 2), {}},
          {"one row", prior, random_rows(1, d, 2), {}},
          {"weights", prior, random_rows(25, d, 3), random_weights(25, 3)},
          {"rows twice", with_multiples(prior), make_rows(twice, d), {}},
          {"a constant column", with_rounding(prior), make_rows(constant, d), {}},
          {"multiples", with_multiples(prior), random_rows(31, d, 6), {}},
          {"multiples, rounding", with_multiples(with_rounding(prior)), random_rows(15, d, 7), {}}};
}

void expect_near(const std::vector<double>& got, const std::vector<double>& wanted, const std::string& what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], wanted[i], 1e-9 * (1.0 + std::abs(wanted[i]))) << what << ", row " << i;
  }
}

// All that is asked of a cluster, of its own rows and of others.
template <class F>
std::vector<double> answers(const F& family, const Stats& stats) {
  const auto q = family.posterior(stats);
  const Rows others = random_rows(300, d, 77);
  std::vector<double> all{family.log_evidence(stats), family.node_cost(q, stats), family.kl_to_prior(q)};
  const auto add = [&](const std::vector<double>& values) { all.insert(all.end(), values.begin(), values.end()); };
  const std::span clusters(&q, 1);
  add(for_rows(others, [&](RowBlock& block, double* out) { family.costs(clusters, block, out); }));
  add(for_rows(others, [&](RowBlock& block, double* out) { family.log_predictive(clusters, block, out); }));
  std::vector<double> row(d);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t c = 0; c < d; ++c) row[c] = others.data().value(i, c);
    const ExactCost exact = family.exact_cost(q, row);
    add({exact.value, exact.scale});
  }
  const TieScale scale = family.tie_scale(q);
  add({scale.ratio, scale.floor});
  return all;
}

TEST(FewRows, SayWhatTheWholeMatrixSays) {
  for (const Case& c : cases()) {
    const Gaussian family(c.prior);
    const Stats stats = stats_of(family, c.rows, c.weights);
    std::vector<double> b0;
    for (std::size_t i = 0; i < d; ++i) b0.push_back(c.prior.b0[i * (d + 1)]);
    ASSERT_TRUE(FewRows::find(c.prior, b0, stats)) << c.name;
    const Gaussian whole(not_diagonal(c.prior));
    expect_near(answers(family, stats), answers(whole, stats), c.name);
    expect_near(family.posterior(stats).w.matrix(), whole.posterior(stats).w.matrix(), c.name);
    EXPECT_EQ(family.posterior(stats).prior_multiple, whole.posterior(stats).prior_multiple) << c.name;
    const auto q = family.plug_in(family.posterior(stats));
    EXPECT_NEAR(q.a, whole.plug_in(whole.posterior(stats)).a, 1e-9 * std::abs(q.a)) << c.name;
  }
}

TEST(FewRows, OfStudentClustersToo) {
  for (const Case& c : cases()) {
    const Student family(c.prior, 4.0);
    const Stats stats = stats_of(family, c.rows, c.weights);
    expect_near(answers(family, stats), answers(Student(not_diagonal(c.prior), 4.0), stats), c.name);
  }
}

TEST(FewRows, AnEmptyClusterIsThePrior) {
  const Gaussian family(with_rounding(diagonal_prior(8)));
  const Stats nothing(family.stats_size(), 0.0);
  expect_near(answers(family, nothing), answers(Gaussian(not_diagonal(family.prior())), nothing), "empty");
}

TEST(FewRows, AreNotLookedForWhereThereAreMany) {
  const NormalWishart prior = diagonal_prior(9);
  const std::vector<double> b0(d, 1.0);
  const Gaussian family(prior);
  const std::vector<double> light(60, 0.1);  // their weight is that of six
  EXPECT_FALSE(FewRows::find(prior, b0, stats_of(family, random_rows(60, d, 10), light)));
  EXPECT_FALSE(FewRows::find(prior, b0, stats_of(family, random_rows(33, d, 11))));
  EXPECT_TRUE(FewRows::find(prior, b0, stats_of(family, random_rows(32, d, 12))));
}

}  // namespace
}  // namespace coppice::internal
