// SPDX-License-Identifier: BSD-3-Clause
// What every rule promises.
#include "coppice/seeding/seed_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stop_token>

#include "coppice/runtime/error.hpp"
#include "unit/kernels/simd_targets.hpp"
#include "unit/seeding/seeding_examples.hpp"

namespace coppice::internal {
namespace {

template <class Check>
void for_each_rule(const Check& check) {
  for (const NamedRule& rule : all_rules()) {
    SCOPED_TRACE(rule.name);
    check(rule.options);
  }
}

bool are_different(const Rows& rows, const std::vector<std::size_t>& chosen) {
  std::set<std::vector<double>> contents;
  for (const std::size_t row : chosen) contents.insert(copy_points(rows, std::vector<std::size_t>{row}));
  return contents.size() == chosen.size();
}

TEST(SeedRows, GivesKDifferentRows) {
  for_each_rule([](const SeedingOptions& options) {
    for (const std::size_t d : {1U, 2U, 3U, 8U, 19U}) {
      Seeded seeded(scattered_rows(5000, d, 5, d));
      for (const std::size_t k : {1U, 2U, 10U, 100U}) {
        const std::vector<std::size_t> chosen = seeded.chosen(k, options, k);
        EXPECT_EQ(chosen.size(), k);
        EXPECT_TRUE(are_different(seeded.rows(), chosen));
      }
    }
  });
}

TEST(SeedRows, TheSameSeedGivesTheSameRowsAndAnotherOthers) {
  for_each_rule([](const SeedingOptions& options) {
    Seeded seeded(scattered_rows(3000, 2, 5, 1));
    EXPECT_EQ(seeded.chosen(12, options, 3), seeded.chosen(12, options, 3));
    EXPECT_EQ(seeded.chosen(12, options, 3) == seeded.chosen(12, options, 4), options.rule == SeedingRule::farthest);
  });
}

// Lattices are full of ties and copies; the weights are no whole numbers.
TEST(SeedRows, ShuffledRowsGiveTheSameCentres) {
  const Dataset scattered = scattered_rows(9000, 3, 5, 2).with_weights(some_weights(9000, 2));
  const Dataset lattice = lattice_rows(9000, 2, 40, 2).with_weights(some_weights(9000, 3));
  for (const Dataset& data : {scattered, lattice, scattered_rows(9000, 9, 5, 3), lattice_rows(3000, 2, 30, 4)}) {
    for_each_rule([&](const SeedingOptions& options) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        Seeded shuffled(rows_in_order(data, shuffled_order(data.n_rows(), seed)));
        EXPECT_EQ(shuffled.centres(25, options, seed), Seeded(data).centres(25, options, seed));
      }
    });
  }
}

TEST(SeedRows, AWeightIsAsGoodAsCopiesAndWeightZeroIsAbsence) {
  for (const Dataset& rows : {scattered_rows(3000, 3, 5, 5), lattice_rows(3000, 2, 30, 5)}) {
    const Dataset weighted = rows.with_weights(whole_weights(3000, 5));
    std::vector<std::size_t> copies;
    for (std::size_t row = 0; row < 3000; ++row) {
      copies.insert(copies.end(), static_cast<std::size_t>(weighted.weight(row)), row);
    }
    const Dataset repeated = rows_in_order(rows, copies);
    for_each_rule([&](const SeedingOptions& options) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        EXPECT_EQ(Seeded(weighted).centres(25, options, seed), Seeded(repeated).centres(25, options, seed));
      }
    });
  }
}

// Rows without weight lie far outside, where they would be chosen at once and spoil every scale.
TEST(SeedRows, RowsOfWeightZeroTouchNothing) {
  const Dataset data = scattered_rows(2000, 2, 5, 6);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  std::vector<double> weights = some_weights(2000, 6);
  std::vector<std::size_t> present;
  for (std::size_t row = 0; row < 2000; ++row) {
    if (weights[row] == 0.0) values[2 * row] = row % 2 == 0 ? 1e200 : -1e9;
    if (weights[row] > 0.0) present.push_back(row);
  }
  ASSERT_LT(present.size(), 1990U);
  const Dataset with_absent = Dataset::from_rows(values, 2000, 2).with_weights(weights);
  const Dataset without = rows_in_order(with_absent, present);
  for_each_rule([&](const SeedingOptions& options) {
    EXPECT_EQ(Seeded(with_absent).centres(20, options), Seeded(without).centres(20, options));
  });
}

// Several blocks of rows, and of proposals and centres.
TEST(SeedRows, DoesNotDependOnThreads) {
  const Dataset plain = scattered_rows(70000, 2, 8, 7);
  for (const Dataset& data : {plain, plain.with_weights(some_weights(70000, 7))}) {
    for_each_rule([&](SeedingOptions options) {
      options.chain_length = 600;
      const std::vector<std::size_t> expected = Seeded(data, 1).chosen(70, options);
      for (const std::size_t threads : {2U, 5U}) EXPECT_EQ(Seeded(data, threads).chosen(70, options), expected);
    });
  }
}

TEST(SeedRows, DoesNotDependOnTheInstructionSet) {
  const Dataset data = scattered_rows(3000, 7, 5, 8);
  for_each_rule([&](const SeedingOptions& options) {
    const std::vector<std::size_t> expected = Seeded(data).chosen(15, options);
    kernels::for_each_target([&] { EXPECT_EQ(Seeded(data).chosen(15, options), expected); });
  });
}

TEST(SeedRows, FloatsAreTakenAsDoubles) {
  for (const std::size_t d : {1U, 2U, 5U, 11U}) {
    const Dataset doubles = lattice_rows(3000, d, 200, d);
    for_each_rule([&](const SeedingOptions& options) {
      EXPECT_EQ(Seeded(as_float32(doubles)).chosen(20, options), Seeded(doubles).chosen(20, options));
    });
  }
}

TEST(SeedRows, IdenticalRowsGiveOneCentre) {
  const Dataset equal = Dataset::from_rows(std::vector<double>(10000, 0.1), 5000, 2);
  for_each_rule([&](const SeedingOptions& options) { EXPECT_EQ(Seeded(equal).chosen(10, options).size(), 1U); });
}

TEST(SeedRows, FewerDifferentRowsThanKGiveFewerCentres) {
  const Dataset lattice = lattice_rows(5000, 2, 4, 9);  // 16 different rows
  std::vector<double> weights(5000, 1.0);
  for (std::size_t row = 0; row < 5000; ++row)
    weights[row] = lattice.value(row, 0) > 0.3 ? 0.0 : 1.0;  // 12 with weight
  for_each_rule([&](const SeedingOptions& options) {
    Seeded seeded(lattice);
    const std::vector<std::size_t> chosen = seeded.chosen(20, options);
    EXPECT_EQ(chosen.size(), 16U);
    EXPECT_TRUE(are_different(seeded.rows(), chosen));
    EXPECT_EQ(seeded.chosen(16, options).size(), 16U) << "as many as there are";
    EXPECT_EQ(Seeded(lattice.with_weights(weights)).chosen(20, options).size(), 12U);
  });
}

TEST(SeedRows, OneRowOrNone) {
  const Dataset one = Dataset::from_rows(std::vector<double>{3.0, 4.0}, 1, 2);
  const Dataset none = Dataset::from_rows(std::vector<double>{1.0, 2.0}, 2, 1).with_weights({0.0, 0.0});
  for_each_rule([&](const SeedingOptions& options) {
    EXPECT_EQ(Seeded(one).chosen(1, options), std::vector<std::size_t>{0});
    EXPECT_EQ(Seeded(one).chosen(5, options), std::vector<std::size_t>{0});
    EXPECT_TRUE(Seeded(one).chosen(0, options).empty());
    EXPECT_TRUE(Seeded(none).chosen(3, options).empty());
  });
}

// Seeding does not know units: powers of two change no bit, up to where squares would overflow or vanish. Hashes, and
// with them the random draws, do change; so whatever is scaled, good centres must come out.
TEST(SeedRows, ManagesHugeAndTinyNumbers) {
  std::vector<double> corners;
  for (std::size_t i = 0; i < 400; ++i) {
    const double x = i % 2 == 0 ? -1.0 : 1.0;
    const double y = i % 4 < 2 ? -1.0 : 1.0;
    corners.push_back(x + 1e-3 * static_cast<double>(i % 7));
    corners.push_back(y + 1e-3 * static_cast<double>(i % 11));
  }
  for (const double scale : {1e-300, 1e-160, 1e-20, 1.0, 1e20, 1e160, 1e300}) {
    std::vector<double> values = corners;
    for (double& value : values) value *= scale;
    LocalExecution local(1);
    const Rows rows(Dataset::from_rows(values, 400, 2), {0.0, 0.0});
    for_each_rule([&](const SeedingOptions& options) {
      RandomStream random{1, Purpose::seeding};
      const std::vector<std::size_t> chosen = seed_rows(local.get(), rows, 4, options, random);
      ASSERT_EQ(chosen.size(), 4U) << scale;
      std::set<std::size_t> seen;
      for (const std::size_t row : chosen) seen.insert(row % 4);
      // Missing a corner by the D^2 law: a chance of some 1e-5 per scale, with this seed never.
      EXPECT_TRUE(seen.size() == 4 || options.rule == SeedingRule::uniform) << scale;
    });
  }
}

TEST(SeedRows, TinyAndHugeWeightsAreWeights) {
  const Dataset data = scattered_rows(500, 2, 3, 10);
  for (const double scale : {1e-300, 1e-20, 1e20, 1e300}) {
    for_each_rule([&](const SeedingOptions& options) {
      const Dataset weighted = data.with_weights(std::vector<double>(500, scale));
      EXPECT_TRUE(are_different(Seeded(weighted).rows(), Seeded(weighted).chosen(500, options)));
      EXPECT_EQ(Seeded(weighted).chosen(500, options).size(), 500U);
    });
  }
  // Weights of very different sizes: whoever has any is somebody.
  std::vector<double> weights(500, 1e-200);
  weights[17] = 1e100;
  for_each_rule([&](const SeedingOptions& options) {
    EXPECT_EQ(Seeded(data.with_weights(weights)).chosen(500, options).size(), 500U);
  });
}

TEST(SeedRows, CanBeStopped) {
  std::stop_source source;
  source.request_stop();
  LocalExecution stopped(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  const Dataset data = scattered_rows(100, 2, 3, 11);
  const Rows rows(data, {0.0, 0.0});
  for_each_rule([&](const SeedingOptions& options) {
    RandomStream random{1, Purpose::seeding};
    EXPECT_THROW((void)seed_rows(stopped.get(), rows, 3, options, random), Stopped);
  });
}

// In the middle of the work, too: after a hundredth of a second, when all of it would take minutes.
TEST(SeedRows, CanBeStoppedInTheMiddle) {
  const Dataset data = scattered_rows(100000, 2, 3, 12);
  const Rows rows(data, {0.0, 0.0});
  for_each_rule([&](const SeedingOptions& options) {
    if (options.rule == SeedingRule::uniform) return;  // too quick
    const auto deadline = StopSignal::Clock::now() + std::chrono::milliseconds(10);
    LocalExecution stopped(1, StopSignal({}, nullptr, deadline));
    RandomStream random{1, Purpose::seeding};
    EXPECT_THROW((void)seed_rows(stopped.get(), rows, 50000, options, random), Stopped);
  });
}

TEST(SeedRows, AChainHasAtLeastOneState) {
  const SeedingOptions options{.rule = SeedingRule::afk_mc2, .chain_length = 0};
  EXPECT_THROW((void)Seeded(golden_points()).chosen(2, options), OptionError);
}

TEST(CopyPoints, AreLessTheOrigin) {
  const Rows rows(Dataset::from_rows(std::vector<float>{1, 2, 3, 4, 5, 6}, 3, 2), {0.5, 1.0});
  EXPECT_EQ(copy_points(rows, std::vector<std::size_t>{2, 0}), (std::vector<double>{4.5, 5.0, 0.5, 1.0}));
  EXPECT_TRUE(copy_points(rows, {}).empty());
}

}  // namespace
}  // namespace coppice::internal
