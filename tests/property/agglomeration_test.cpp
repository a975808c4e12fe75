// SPDX-License-Identifier: BSD-3-Clause
// All structures for closest pairs give one tree, to the last bit: for every family and both priors over partitions,
// with repeated rows and with bits, where ties abound, and for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/agglomerate.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

struct Example {
  const char* name;
  std::function<std::unique_ptr<Components>(std::size_t n_columns)> family;
  std::function<Dataset(std::size_t n_rows, std::uint64_t seed)> data;
};

template <class F, class... Arguments>
std::unique_ptr<Components> adapted(Arguments&&... arguments) {
  return std::make_unique<FamilyAdapter<F>>(F(std::forward<Arguments>(arguments)...));
}

NormalGamma normal_gamma(std::size_t n_columns, std::size_t n_scales) {
  return {std::vector<double>(n_columns, 0.0), 0.1, 2.0, std::vector<double>(n_scales, 0.5), {}};
}

Dataset spread_rows(std::size_t n_rows, std::uint64_t seed) { return scattered_rows(n_rows, 3, 4, seed); }

// A third of the rows stand there twice or more.
Dataset repeated_rows(std::size_t n_rows, std::uint64_t seed) {
  const Dataset few = scattered_rows(n_rows, 2, 4, seed);
  RandomStream random{seed, Purpose::test, 41};
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t source = random.below(2) == 0 ? row : random.below(1 + n_rows / 4);
    for (std::size_t c = 0; c < 2; ++c) values.push_back(std::round(2.0 * few.value(source, c)) / 2.0);
  }
  return Dataset::from_rows(std::move(values), n_rows, 2);
}

std::vector<Example> examples() {
  const auto gaussian = [](std::size_t d) { return adapted<Gaussian>(plain_prior(d, 0.5, 0.1)); };
  const auto diagonal = [](std::size_t d) { return adapted<DiagonalGaussian>(normal_gamma(d, d)); };
  const auto spherical = [](std::size_t d) { return adapted<SphericalGaussian>(normal_gamma(d, 1)); };
  const auto bits = [](std::size_t n, std::uint64_t seed) { return random_bits(n, 7, 3, seed); };
  const auto counts = [](std::size_t n, std::uint64_t seed) { return random_counts(n, 5, 3, seed); };
  return {{"gaussian", gaussian, spread_rows},
          {"gaussian, repeated", gaussian, repeated_rows},
          {"diagonal", diagonal, spread_rows},
          {"diagonal, repeated", diagonal, repeated_rows},
          {"spherical", spherical, spread_rows},
          {"spherical, repeated", spherical, repeated_rows},
          {"bernoulli", [](std::size_t d) { return adapted<Bernoulli>(d, 0.1); }, bits},
          {"multinomial", [](std::size_t d) { return adapted<Multinomial>(d, 0.1, std::nullopt); }, counts}};
}

Agglomeration grown(const Components& components, const Rows& rows, const PartitionPrior& partition,
                    const std::string& pairs, std::size_t threads) {
  LocalExecution local(threads);
  return agglomerate(local.get(), components, partition, row_statistics(local.get(), components, rows),
                     {.pairs = pairs});
}

Rows at_zero(const Dataset& data) { return {data, std::vector<double>(data.n_columns(), 0.0)}; }

TEST(Agglomeration, IsTheSameForAllStructures) {
  for (const Example& example : examples()) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Dataset data = example.data(90 + seed, seed);
      if (seed == 4) {
        std::vector<double> weights = some_weights(data.n_rows(), seed);
        for (double& weight : weights) weight += 0.1;
        data = data.with_weights(std::move(weights));
      }
      const Rows rows = at_zero(data);
      const auto components = example.family(rows.n_columns());
      const auto partition = partition_number(seed);
      const Agglomeration expected = grown(*components, rows, *partition, "naive", 1);
      ASSERT_EQ(expected.tree.merges.size(), rows.size() - 1);
      for (const char* pairs : {"fastpair", "conga"}) {
        const Agglomeration found = grown(*components, rows, *partition, pairs, 1);
        EXPECT_EQ(found.tree, expected.tree) << example.name << ", " << pairs << ", seed " << seed;
        EXPECT_EQ(found.objective, expected.objective) << example.name << ", " << pairs << ", seed " << seed;
      }
    }
  }
}

TEST(Agglomeration, IsTheSameForAnyNumberOfThreads) {
  const Rows rows = at_zero(scattered_rows(2300, 2, 5, 1));  // more than one thread takes at once
  const auto components = adapted<SphericalGaussian>(normal_gamma(2, 1));
  const auto partition = make_dirichlet(2.0);
  const Agglomeration expected = grown(*components, rows, *partition, "fastpair", 1);
  for (const std::size_t threads : {2U, 4U}) {
    const Agglomeration found = grown(*components, rows, *partition, "fastpair", threads);
    EXPECT_EQ(found.tree, expected.tree) << threads;
    EXPECT_EQ(found.objective, expected.objective) << threads;
    EXPECT_EQ(found.n_keys, expected.n_keys) << threads;
  }
}

// The best of all pairs is merged every time: no pair of any level would have gained more. Bits make ties, which go to
// the smallest numbers.
TEST(Agglomeration, OfBitsTakesTheFirstOfTheBestPairs) {
  const Dataset data = random_bits(40, 5, 3, 2);
  const Rows rows = at_zero(data);
  const auto components = adapted<Bernoulli>(std::size_t{5}, 0.1);
  const auto partition = make_dirichlet_process(1.0);
  const Agglomeration found = grown(*components, rows, *partition, "fastpair", 1);
  for (std::uint32_t b = 1; b < 40; ++b) {  // of all pairs of equal rows, if there are any
    for (std::uint32_t a = 0; a < b; ++a) {
      bool are_equal = true;
      for (std::size_t c = 0; c < 5; ++c) are_equal = are_equal && data.value(a, c) == data.value(b, c);
      if (!are_equal) continue;
      const Merge& first = found.tree.merges.front();
      EXPECT_LE(std::pair(first.a, first.b), std::pair(a, b));
    }
  }
}

}  // namespace
}  // namespace coppice::internal
