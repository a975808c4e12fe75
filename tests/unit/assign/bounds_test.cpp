// SPDX-License-Identifier: BSD-3-Clause
// Distance bounds against every row and centre, sweep after sweep: the same labels, the same bits.
#include "coppice/assign/bounds.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "coppice/assign/naive.hpp"
#include "coppice/family/centroid.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

// Rows, centres, and bounds that watch them.
class Sweeps {
 public:
  Sweeps(const Dataset& data, BoundsStart start, std::size_t threads = 1)
      : local_(threads),
        rows_(data, fixed_origin(local_.get(), data)),
        units_(rows_),
        family_(Centroid(rows_.n_columns())),
        bounds_(make_bounds(rows_, start, {})),
        present_(LabelList(rows_.size(), -1)) {}

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] LabelList labels() const { return present_.by_row(); }
  void set_labels(LabelList labels) { present_ = Labels(std::move(labels)); }

  // K rows; some may be drawn twice.
  [[nodiscard]] StatsArena drawn_centres(std::size_t k, std::uint64_t seed) const {
    RandomStream random{seed, Purpose::test, 20};
    std::vector<double> centres(k * rows_.n_columns());
    for (std::size_t c = 0; c < k; ++c) {
      rows_.copy_row(random.below(rows_.size()), std::span(centres).subspan(c * rows_.n_columns(), rows_.n_columns()));
    }
    return centre_statistics(centres, rows_.n_columns());
  }

  // One sweep both ways from the same labels; returns the statistics, in which empty clusters stay where they are.
  StatsArena expect_same(const StatsArena& clusters) {
    family_.update(clusters);
    const std::vector<double> offsets(clusters.size(), 0.0);
    const Assignment expected = assign(local_.get(), Subset(units_), family_, offsets, present_);
    const Assignment found = bounds_->sweep(local_.get(), family_, offsets, present_);
    EXPECT_EQ(count_changes(found.labels, expected.labels), 0U) << "labels differ";
    EXPECT_TRUE(found.stats == expected.stats);
    EXPECT_EQ(found.data_term, expected.data_term);
    present_ = expected.labels;
    distances = found.distances;
    StatsArena next = expected.stats;
    for (std::size_t c = 0; c < next.size(); ++c) {
      if (next.weight(c) <= 0.0) next.assign(c, clusters[c]);
    }
    return next;
  }

  void expect_same_for(std::size_t n_sweeps, StatsArena clusters) {
    for (std::size_t sweep = 0; sweep < n_sweeps; ++sweep) {
      SCOPED_TRACE("sweep " + std::to_string(sweep));
      clusters = expect_same(clusters);
      if (testing::Test::HasFailure()) return;
    }
  }

  std::uint64_t distances = 0;  // of the last sweep

 private:
  LocalExecution local_;
  Rows rows_;
  Units units_;
  FamilyAdapter<Centroid> family_;
  std::unique_ptr<Assigner> bounds_;
  Labels present_;
};

Dataset blobs(std::size_t n_rows, std::size_t n_columns, double spread = 2.0) {
  return scattered_rows(n_rows, n_columns, 12, n_columns, spread);
}

Dataset scaled(const Dataset& data, double factor) {
  return changed(data, [=](double value, std::size_t) { return factor * value; });
}

Dataset shifted(const Dataset& data, double shift) {
  return changed(data, [=](double value, std::size_t) { return value + shift; });
}

Dataset repeated(const Dataset& data, std::size_t times) {
  std::vector<double> values;
  for (std::size_t copy = 0; copy < times; ++copy) {
    values.insert(values.end(), data.doubles().begin(), data.doubles().end());
  }
  return Dataset::from_rows(std::move(values), times * data.n_rows(), data.n_columns());
}

struct Case {
  std::string name;
  std::function<Dataset()> data;
  std::size_t k;
};
void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class BoundsTest : public testing::TestWithParam<Case> {};

TEST_P(BoundsTest, FollowsEveryRowAgainstEveryCentre) {
  for (const BoundsStart start : {BoundsStart::at_once, BoundsStart::late}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Sweeps sweeps(GetParam().data(), start);
      sweeps.expect_same_for(15, sweeps.drawn_centres(GetParam().k, seed));
    }
  }
}

std::vector<Case> cases() {
  return {
      {"OneColumn", [] { return blobs(2000, 1); }, 10},
      {"TwoColumns", [] { return blobs(2000, 2); }, 31},
      {"OneFullGroup", [] { return blobs(2000, 3); }, 32},
      {"TwoGroups", [] { return blobs(2000, 5); }, 33},
      {"SevenGroups", [] { return blobs(2000, 8); }, 200},
      {"ManyColumns", [] { return blobs(400, 150); }, 40},
      {"OneCluster", [] { return blobs(700, 4); }, 1},
      {"TwoClusters", [] { return blobs(700, 6); }, 2},
      {"AllGroupsWithFewRows", [] { return blobs(150, 6); }, 3000},
      {"LatticeOfTies", [] { return rounded(blobs(2000, 2), 1.0); }, 20},
      {"LatticeOfTiesManyGroups", [] { return rounded(blobs(2000, 6), 2.0); }, 100},
      {"Duplicates", [] { return repeated(blobs(150, 5), 9); }, 60},
      {"Float32", [] { return as_float32(blobs(2000, 7)); }, 50},
      {"Float32FarAway", [] { return as_float32(shifted(blobs(2000, 5), 1e6)); }, 50},
      {"Float32FarAwayTwoColumns", [] { return as_float32(shifted(blobs(2000, 2), 1e6)); }, 20},
      {"Weights", [] { return blobs(2000, 5).with_weights(some_weights(2000, 1)); }, 40},
      {"ConstantColumns",
       [] { return changed(blobs(2000, 5), [](double x, std::size_t c) { return c > 2 ? 3.7 : x; }); }, 40},
      {"ConstantData", [] { return scaled(blobs(300, 5), 0.0); }, 3},
      {"Huge", [] { return scaled(blobs(2000, 5), 1e15); }, 40},
      {"AtTheEdgeOfFloats", [] { return scaled(blobs(1000, 5), 4e18); }, 40},
      {"AtTheEdgeOfFloatsOneColumn", [] { return scaled(blobs(1000, 1), 1e19); }, 3},
      {"BeyondFloats", [] { return scaled(blobs(1000, 5), 1e30); }, 40},
      {"FarBeyondFloats", [] { return scaled(blobs(1000, 5), 1e100); }, 40},
      {"Tiny", [] { return scaled(blobs(2000, 5), 1e-4); }, 40},
      {"VeryTiny", [] { return scaled(blobs(2000, 5), 1e-8); }, 40},
      {"BelowFloats", [] { return scaled(blobs(1000, 5), 1e-50); }, 40},
      {"SeveralBlocks", [] { return blobs(2 * rows_per_block + 100, 5); }, 70},
  };
}
INSTANTIATE_TEST_SUITE_P(Tables, BoundsTest, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

// As rows that start an empty cluster anew.
TEST(Bounds, TakeLabelsThatSomebodyElseChanged) {
  Sweeps sweeps(blobs(2000, 5), BoundsStart::at_once);
  StatsArena clusters = sweeps.drawn_centres(50, 1);
  for (std::uint64_t sweep = 0; sweep < 10; ++sweep) {
    clusters = sweeps.expect_same(clusters);
    LabelList labels = sweeps.labels();
    RandomStream random{sweep, Purpose::test, 21};
    for (int change = 0; change < 30; ++change) {
      labels[random.below(labels.size())] = static_cast<std::int32_t>(random.below(51)) - 1;
    }
    sweeps.set_labels(std::move(labels));
  }
}

TEST(Bounds, TakeAnotherNumberOfCentres) {
  Sweeps sweeps(blobs(2000, 5), BoundsStart::at_once);
  for (const std::size_t k : {40U, 41U, 5U, 100U, 1U}) {
    SCOPED_TRACE(k);
    sweeps.set_labels(LabelList(sweeps.rows().size(), k == 41 ? 3 : -1));
    sweeps.expect_same_for(4, sweeps.drawn_centres(k, k));
  }
}

// As the next run of a fit: no labels, other centres, and bounds that know the centres before.
TEST(Bounds, BeginAnew) {
  Sweeps sweeps(blobs(2000, 5), BoundsStart::at_once);
  for (std::uint64_t run = 0; run < 3; ++run) {
    sweeps.set_labels(LabelList(sweeps.rows().size(), -1));
    sweeps.expect_same_for(6, sweeps.drawn_centres(60, run));
  }
}

// Centres so far away that single precision has no number for them come near: their bounds must have been kept, too.
TEST(Bounds, SeeCentresThatComeFromVeryFar) {
  for (const double distance : {1e10, 1e19, 1e20, 1e30, 1e100}) {
    SCOPED_TRACE(distance);
    Sweeps sweeps(blobs(300, 5), BoundsStart::at_once);
    const StatsArena near = sweeps.drawn_centres(64, 1);
    StatsArena far = near;
    for (std::size_t c = 32; c < 64; ++c) far[c][1] += distance;
    (void)sweeps.expect_same(far);
    (void)sweeps.expect_same(far);
    (void)sweeps.expect_same(near);
  }
}

TEST(Bounds, SpareDistancesWhereCentresRest) {
  for (const std::size_t k : {10U, 100U}) {
    Sweeps sweeps(blobs(2000, 5), BoundsStart::at_once);
    const StatsArena clusters = sweeps.drawn_centres(k, 1);
    (void)sweeps.expect_same(clusters);
    EXPECT_GE(sweeps.distances, 2000 * k);
    (void)sweeps.expect_same(clusters);
    EXPECT_LT(sweeps.distances, 2000 * k / 10) << "only rows between two centres are looked at again";
  }
}

// As in a fit that begins without bounds: the first sweep with them finds every row where it belongs.
TEST(Bounds, LearnFromRowsThatStayWhereTheyAre) {
  for (const std::size_t k : {10U, 100U}) {
    Sweeps without(blobs(2000, 5), BoundsStart::at_once);
    const StatsArena clusters = without.drawn_centres(k, 1);
    (void)without.expect_same(clusters);
    Sweeps sweeps(blobs(2000, 5), BoundsStart::at_once);
    sweeps.set_labels(without.labels());
    (void)sweeps.expect_same(clusters);
    (void)sweeps.expect_same(clusters);
    EXPECT_LT(sweeps.distances, 2000 + 2000 * k / 10) << "one for every row, and those between two centres";
  }
}

TEST(Bounds, NobodyOvertakesTheOnlyCentre) {
  Sweeps sweeps(blobs(2000, 5), BoundsStart::at_once);
  const StatsArena clusters = sweeps.drawn_centres(1, 1);
  (void)sweeps.expect_same(clusters);
  (void)sweeps.expect_same(clusters);
  EXPECT_EQ(sweeps.distances, 0U);
}

TEST(Bounds, CountTheSameForAnyNumberOfThreads) {
  std::vector<std::uint64_t> counts;
  for (const std::size_t threads : {1U, 2U, 5U}) {
    Sweeps sweeps(blobs(5 * rows_per_block + 1, 3), BoundsStart::at_once, threads);
    sweeps.expect_same_for(5, sweeps.drawn_centres(40, 1));
    counts.push_back(sweeps.distances);
  }
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[2], counts[0]);
}

TEST(GroupCentres, CutsIntoGroupsOfOneSize) {
  for (const std::size_t k : {1U, 2U, 33U, 100U, 3000U}) {
    for (const std::size_t n_groups : {1U, 2U, 7U, 64U}) {
      if (n_groups > k) continue;
      const Dataset centres = scattered_rows(k, 3, 5, k);
      std::vector<std::size_t> sizes(n_groups, 0);
      for (const std::size_t group : group_centres(centres.doubles(), 3, n_groups)) ++sizes.at(group);
      for (const std::size_t size : sizes) {
        EXPECT_GE(size, k / n_groups) << k << " in " << n_groups;
        EXPECT_LE(size, k / n_groups + 1) << k << " in " << n_groups;
      }
    }
  }
}

}  // namespace
}  // namespace coppice::internal
