// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/fine_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/structure/discrete_priors.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// Rows, a family and a partition, kept alive together.
class Example {
 public:
  explicit Example(const Dataset& data, std::size_t threads = 1)
      : local_(threads),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        units_(rows_),
        partition_(make_dirichlet(2.0)),
        shape_(gaussian_shape(local_.get(), rows_)),
        prior_(make_gaussian_prior("diagonal", shape_)) {
    for (std::size_t row = 0; row < rows_.size(); ++row) total_ += rows_.weight(row);
  }

  [[nodiscard]] FineStart start() {
    return fine_start(local_.get(), {units_, *prior_, *partition_, total_, shape_.variance});
  }
  // From the labels and the prior's values alone.
  [[nodiscard]] double objective(const FineStart& start) {
    return labelling_objective(local_.get(), rows_, *prior_->at(start.values), *partition_, start.labels);
  }

 private:
  LocalExecution local_;
  Rows rows_;
  Units units_;
  std::unique_ptr<PartitionPrior> partition_;
  GaussianShape shape_;
  std::unique_ptr<AdjustablePrior> prior_;
  double total_ = 0.0;
};

Generated grid(std::size_t side, std::size_t rows_per_cluster, std::uint64_t seed = 0) {
  return generate(BirchGrid{.side = side, .rows_per_cluster = rows_per_cluster, .seed = seed});
}

TEST(FineStart, FindsAGridOfManySmallClusters) {
  for (const std::uint64_t seed : {0U, 1U}) {
    const Generated made = grid(14, 25, seed);
    const FineStart start = Example(made.data).start();
    EXPECT_NEAR(static_cast<double>(start.k), 196.0, 10.0);
    EXPECT_GT(evaluate::adjusted_rand_index(start.labels, made.labels), 0.9);
  }
}

TEST(FineStart, SaysTheObjectiveOfItsLabels) {
  for (const bool is_weighted : {false, true}) {
    Dataset data = scattered_rows(400, 3, 12, 2, 6.0);
    if (is_weighted) data = data.with_weights(some_weights(400, 2));
    Example example(data);
    const FineStart start = example.start();
    ASSERT_EQ(start.labels.size(), 400U);
    EXPECT_LT(static_cast<std::size_t>(std::ranges::max(start.labels)), start.k);
    EXPECT_NEAR(start.objective, example.objective(start), 1e-9 * std::abs(start.objective));
  }
}

TEST(FineStart, OneBodyIsOneCluster) {
  const FineStart start = Example(scattered_rows(500, 2, 1, 3)).start();
  EXPECT_LE(start.k, 3U);
}

TEST(FineStart, FewRowsAreOneCluster) {
  const FineStart start = Example(scattered_rows(5, 2, 1, 3)).start();
  EXPECT_EQ(start.k, 1U);
  EXPECT_EQ(start.labels, std::vector<std::int32_t>(5, 0));
}

TEST(FineStart, OrderOfRowsAndThreadsDoNotMatter) {
  const Dataset data = grid(8, 12).data;
  const FineStart start = Example(data).start();
  EXPECT_EQ(Example(data, 3).start().labels, start.labels);
  std::vector<double> reversed;
  for (std::size_t row = data.n_rows(); row-- > 0;) {
    reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
  }
  FineStart back = Example(Dataset::from_rows(reversed, data.n_rows(), 2)).start();
  std::ranges::reverse(back.labels);
  EXPECT_EQ(evaluate::adjusted_rand_index(back.labels, start.labels), 1.0);
}

// Words of twenty topics, five each, in rows of 30 words.
TEST(FineStart, OfCountsTakesTheirFamily) {
  RandomStream random{4, Purpose::test, 1};
  std::vector<double> values(600 * 100, 0.0);
  std::vector<std::int32_t> topics;
  for (std::size_t row = 0; row < 600; ++row) {
    topics.push_back(static_cast<std::int32_t>(random.below(20)));
    const auto first = static_cast<std::size_t>(topics.back()) * 5;
    for (int word = 0; word < 30; ++word) {
      const bool is_of_topic = random.uniform() < 0.7;
      values[row * 100 + (is_of_topic ? first + random.below(5) : random.below(100))] += 1.0;
    }
  }
  const Dataset data = Dataset::from_rows(std::move(values), 600, 100);
  LocalExecution local(1);
  const Rows rows(data, std::vector<double>(100, 0.0));
  const Units units(rows);
  const std::unique_ptr<PartitionPrior> partition = make_dirichlet(1.0);
  const std::unique_ptr<AdjustablePrior> prior = make_multinomial_prior(100, {}, {});
  const FineStart start = fine_start(local.get(), {units, *prior, *partition, 600.0});
  EXPECT_NEAR(static_cast<double>(start.k), 20.0, 3.0);
  EXPECT_GT(evaluate::adjusted_rand_index(start.labels, topics), 0.95);
}

}  // namespace
}  // namespace coppice::internal
