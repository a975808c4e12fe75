// SPDX-License-Identifier: BSD-3-Clause
// Counts and bits: the kd-tree gives the labels of row by row, and weights those of repeated rows, for one assignment
// and for whole searches. Sparse rows get the labels of dense ones from the same clusters; their searches draw
// otherwise, since the hash of a sparse row goes by its entries.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "coppice/assign/assign.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/discrete_data.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/infer/empty_clusters.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/search.hpp"
#include "coppice/structure/split.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

enum class Kind : std::uint8_t { counts, counts_of_one_total, bits };
constexpr Kind kinds[] = {Kind::counts, Kind::counts_of_one_total, Kind::bits};

Dataset data_of(Kind kind, std::size_t n_rows, std::size_t n_columns, std::size_t k, std::uint64_t seed) {
  if (kind == Kind::bits) return random_bits(n_rows, n_columns, k, seed);
  return random_counts(n_rows, n_columns, k, seed, kind == Kind::counts ? 0 : 2 * n_columns);
}

std::unique_ptr<Components> family_of(Kind kind, const Execution& execution, const Dataset& data) {
  if (kind == Kind::bits) return std::make_unique<FamilyAdapter<Bernoulli>>(Bernoulli(data.n_columns(), 0.1));
  return std::make_unique<FamilyAdapter<Multinomial>>(
      Multinomial(data.n_columns(), 0.1, shared_total(execution, data)));
}

LabelList random_labels(std::size_t n, std::size_t k, std::uint64_t seed, std::int32_t first = 0) {
  RandomStream random{seed, Purpose::test, 85};
  LabelList labels(n);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(k)) + first;
  return labels;
}

// Clusters as they come up in a fit: some sweeps from random labels on. Empty ones may be among them.
class Setting {
 public:
  Setting(Kind kind, Dataset data, std::size_t k, std::uint64_t seed)
      : rows_(rows_of(std::move(data))), clusters_(family_of(kind, local_.get(), rows_.data())) {
    const Units units(rows_);
    LabelList labels = random_labels(rows_.size(), k, seed);
    RandomStream random{seed, Purpose::test, 86};
    for (std::size_t c = 0; c < k; ++c) offsets_.push_back(random.below(3) == 0 ? 0.0 : random.uniform(0.0, 2.0));
    for (std::size_t sweep = 0; sweep < 1 + seed % 4; ++sweep) {
      clusters_->update(statistics_of(local_.get(), units, *clusters_, Labels(labels), k));
      labels = assign(local_.get(), Subset(units), *clusters_, offsets_, Labels(labels)).labels.by_row();
    }
  }

  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const Components& clusters() const noexcept { return *clusters_; }
  [[nodiscard]] const std::vector<double>& offsets() const noexcept { return offsets_; }

 private:
  LocalExecution local_{2};
  Rows rows_;
  std::unique_ptr<Components> clusters_;
  std::vector<double> offsets_;
};

void expect_close(const StatsArena& a, const StatsArena& b) {
  ASSERT_EQ(a.values().size(), b.values().size());
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    ASSERT_NEAR(a.values()[i], b.values()[i], 1e-11 * (1.0 + std::abs(b.values()[i])));
  }
}

TEST(DiscreteLabels, TheTreeAgreesWithRowByRow) {
  std::size_t n_given_whole = 0;
  for (const Kind kind : kinds) {
    for (const std::size_t d : {1U, 2U, 4U, 9U, 25U}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(testing::Message() << "kind " << int(kind) << ", " << d << " columns, seed " << seed);
        const std::size_t k = seed == 1 ? 2 : 3 * seed;
        Dataset data = data_of(kind, 1500, d, k, seed);
        if (seed == 3) {
          std::vector<double> weights(data.n_rows());
          for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 4) * 0.75;
          data = data.with_weights(std::move(weights));
        }
        Setting setting(kind, std::move(data), k, seed);
        const KdTree tree(setting.execution(), setting.rows(), 12);
        const StatsArena stats = node_statistics(setting.execution(), tree, setting.clusters());
        const TreeUnits in_tree{tree, stats};
        const LabelList present = random_labels(setting.rows().size(), k + 1, seed, -1);
        const Assignment listed = assign(setting.execution(), Subset(Units(setting.rows())), setting.clusters(),
                                         setting.offsets(), Labels(present));
        const Assignment down = assign(setting.execution(), Subset(Units(in_tree)), setting.clusters(),
                                       setting.offsets(), labels_of(Units(in_tree), present));
        EXPECT_EQ(down.labels.by_row(), listed.labels.by_row());
        expect_close(down.stats, listed.stats);
        if (down.distances - down.node_distances < listed.distances) ++n_given_whole;
      }
    }
  }
  EXPECT_GT(n_given_whole, 40U) << "of 60";
}

TEST(DiscreteLabels, ATotalOpensFewerNodes) {
  std::uint64_t with = 0;
  std::uint64_t without = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Setting setting(Kind::counts_of_one_total, data_of(Kind::counts_of_one_total, 3000, 4, 6, seed), 6, seed);
    const KdTree tree(setting.execution(), setting.rows(), 12);
    const StatsArena stats = node_statistics(setting.execution(), tree, setting.clusters());
    const TreeUnits in_tree{tree, stats};
    const LabelList present(setting.rows().size(), 0);
    FamilyAdapter<Multinomial> plain(Multinomial(4, 0.1));
    plain.update(statistics_of(setting.execution(), Units(setting.rows()), plain,
                               Labels(random_labels(setting.rows().size(), 6, seed)), 6));
    const auto knowing = std::make_unique<FamilyAdapter<Multinomial>>(Multinomial(4, 0.1, 8.0));
    knowing->update(statistics_of(setting.execution(), Units(setting.rows()), plain,
                                  Labels(random_labels(setting.rows().size(), 6, seed)), 6));
    const Labels in_tree_labels = labels_of(Units(in_tree), present);
    const std::vector<double> offsets(6, 0.0);
    const Assignment a = assign(setting.execution(), Subset(Units(in_tree)), plain, offsets, in_tree_labels);
    const Assignment b = assign(setting.execution(), Subset(Units(in_tree)), *knowing, offsets, in_tree_labels);
    EXPECT_EQ(a.labels, b.labels);
    without += a.distances;
    with += b.distances;
  }
  EXPECT_LT(with, without);
}

TEST(DiscreteLabels, SparseRowsAgreeWithDenseOnes) {
  for (const Kind kind : kinds) {
    for (const std::size_t d : {1U, 6U, 40U}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(testing::Message() << "kind " << int(kind) << ", " << d << " columns, seed " << seed);
        Setting setting(kind, data_of(kind, 5000, d, 6, seed), 6, seed);
        const Rows sparse = rows_of(sparse_copy(setting.rows().data()));
        const LabelList present = random_labels(5000, 7, seed, -1);
        const Assignment of_dense = assign(setting.execution(), Subset(Units(setting.rows())), setting.clusters(),
                                           setting.offsets(), Labels(present));
        const Assignment of_sparse =
            assign(setting.execution(), Subset(Units(sparse)), setting.clusters(), setting.offsets(), Labels(present));
        EXPECT_EQ(of_sparse.labels, of_dense.labels);
        EXPECT_EQ(of_sparse.stats, of_dense.stats);
        EXPECT_EQ(of_sparse.data_term, of_dense.data_term);
      }
    }
  }
}

// A search over rows, rows in a tree, or sparse rows.
struct Found {
  LabelList labels;
  double objective = 0.0;
};

Found search(Kind kind, const Units& units, const Dataset& data, std::size_t threads = 2) {
  LocalExecution local(threads);
  const std::unique_ptr<Components> components = family_of(kind, local.get(), data);
  const std::unique_ptr<PartitionPrior> partition = make_dirichlet(1.0);
  double total = 0.0;
  for (std::size_t i = 0; i < data.n_rows(); ++i) total += data.weight(i);
  const Problem problem{units, *components, *partition, total};
  Journal journal;
  MaximizationExpectation me(local.get(), problem, journal);
  State state = me.single_cluster();
  search_split_merge(me, state, {.seed = 3});
  return {state.labels.by_row(), state.objective};
}

Found search_rows(Kind kind, const Dataset& data, std::size_t threads = 2) {
  const Rows rows = rows_of(data);
  return search(kind, Units(rows), data, threads);
}

Found search_tree(Kind kind, const Dataset& data) {
  LocalExecution local(2);
  const Rows rows = rows_of(data);
  const KdTree tree(local.get(), rows, 16);
  const StatsArena stats = node_statistics(local.get(), tree, *family_of(kind, local.get(), data));
  const TreeUnits in_tree{tree, stats};
  return search(kind, Units(in_tree), data);
}

Dataset chosen_rows(const Dataset& data, std::span<const std::size_t> chosen) {
  std::vector<double> values;
  for (const std::size_t row : chosen) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
  }
  return Dataset::from_rows(std::move(values), chosen.size(), data.n_columns());
}

// Clusters that can be told apart, of a kind.
Generated clear_clusters(Kind kind, std::size_t n_rows, std::uint64_t seed) {
  if (kind == Kind::bits) {
    return generate(BinaryClusters{.n_rows = n_rows, .n_columns = 24, .k = 6, .concentration = 0.7, .seed = seed});
  }
  return generate(
      CountClusters{.n_rows = n_rows, .n_columns = 12, .k = 6, .total = 60, .concentration = 2.0, .seed = seed});
}

TEST(DiscreteSearch, FindsTheClustersWhateverTheRoute) {
  for (const Kind kind : {Kind::counts, Kind::bits}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(testing::Message() << "kind " << int(kind) << ", seed " << seed);
      const Generated made = clear_clusters(kind, 1200, seed);
      const Found found = search_rows(kind, made.data);
      EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.9);
      const Found in_tree = search_tree(kind, made.data);
      EXPECT_EQ(evaluate::adjusted_rand_index(in_tree.labels, found.labels), 1.0);
      EXPECT_NEAR(in_tree.objective, found.objective, 1e-9 * found.objective);
      const Found sparse = search_rows(kind, sparse_as<float>(made.data));
      EXPECT_GT(evaluate::adjusted_rand_index(sparse.labels, made.labels), 0.9);
      EXPECT_NEAR(sparse.objective, found.objective, 1e-3 * found.objective);
      EXPECT_EQ(search_rows(kind, made.data, 1).labels, found.labels);
    }
  }
}

TEST(DiscreteSearch, DoesNotDependOnTheOrderOfRows) {
  for (const Kind kind : {Kind::counts, Kind::bits}) {
    const Generated made = clear_clusters(kind, 1000, 5);
    std::vector<std::size_t> order(made.data.n_rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RandomStream random{1, Purpose::test, 87};
    for (std::size_t last = order.size(); last > 1; --last) std::swap(order[last - 1], order[random.below(last)]);
    const Dataset shuffled = chosen_rows(made.data, order);
    for (const bool is_sparse : {false, true}) {
      const Found plain = search_rows(kind, is_sparse ? sparse_copy(made.data) : made.data);
      const Found found = search_rows(kind, is_sparse ? sparse_copy(shuffled) : shuffled);
      LabelList expected;
      for (const std::size_t row : order) expected.push_back(plain.labels[row]);
      EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, expected), 1.0);
      EXPECT_NEAR(found.objective, plain.objective, 1e-9 * plain.objective);
    }
  }
}

TEST(DiscreteSearch, AWeightOfTwoIsTwoRows) {
  for (const Kind kind : {Kind::counts, Kind::bits}) {
    const Generated made = clear_clusters(kind, 800, 6);
    const std::size_t n = made.data.n_rows();
    std::vector<std::size_t> twice(2 * n);
    for (std::size_t i = 0; i < 2 * n; ++i) twice[i] = i % n;
    const Found weighted = search_rows(kind, made.data.with_weights(std::vector(n, 2.0)));
    const Found repeated = search_rows(kind, chosen_rows(made.data, twice));
    LabelList expected = weighted.labels;
    expected.insert(expected.end(), weighted.labels.begin(), weighted.labels.end());
    EXPECT_EQ(evaluate::adjusted_rand_index(repeated.labels, expected), 1.0);
    EXPECT_NEAR(repeated.objective, weighted.objective, 1e-9 * weighted.objective);
  }
}

TEST(DiscreteSearch, EmptyClustersAreFilledAlike) {
  for (const Kind kind : {Kind::counts, Kind::bits}) {
    const Dataset data = clear_clusters(kind, 300, 7).data;
    const Rows dense = rows_of(data);
    const Rows sparse = rows_of(sparse_copy(data));
    LocalExecution local(1);
    const std::unique_ptr<Components> components = family_of(kind, local.get(), data);
    const std::unique_ptr<PartitionPrior> partition = make_dirichlet(1.0);
    std::vector<LabelList> filled;
    for (const Rows* rows : {&dense, &sparse}) {
      const Units units(*rows);
      const Problem problem{units, *components, *partition, 300.0};
      State state;
      state.labels = one_label(units);
      state.stats = statistics_of(local.get(), units, *components, state.labels, 4);
      fill_empty_clusters(local.get(), problem, state);
      filled.push_back(state.labels.by_row());
    }
    EXPECT_EQ(filled[0], filled[1]);
    EXPECT_EQ(*std::ranges::max_element(filled[0]), 3);
  }
}

}  // namespace
}  // namespace coppice::internal
