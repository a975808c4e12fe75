// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/closest_pairs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

// Keys that are no metric: whole numbers between -low and high, drawn anew for every pair with a new cluster.
class RandomKeys final : public PairKeys {
 public:
  RandomKeys(std::size_t n, std::uint64_t seed, std::size_t n_values)
      : ids_(n), seed_(seed), n_values_(n_values), next_id_(static_cast<std::uint32_t>(n)) {
    std::iota(ids_.begin(), ids_.end(), std::uint32_t{0});
  }

  void keys(Slot one, std::span<const Slot> others, double* out) const override {
    for (std::size_t i = 0; i < others.size(); ++i) out[i] = key(ids_[one], ids_[others[i]]);
  }
  [[nodiscard]] double key(std::uint32_t a, std::uint32_t b) const {
    RandomStream random{seed_, Purpose::test, (std::uint64_t{std::min(a, b)} << 32) + std::max(a, b)};
    return static_cast<double>(random.below(n_values_)) - static_cast<double>(n_values_ / 2);
  }
  void merge(Slot a) { ids_[a] = next_id_++; }
  [[nodiscard]] std::uint32_t id(Slot slot) const { return ids_[slot]; }

 private:
  std::vector<std::uint32_t> ids_;
  std::uint64_t seed_;
  std::size_t n_values_;
  std::uint32_t next_id_;
};

struct Made {
  std::vector<RankedPair> pairs;
  std::uint64_t n_keys = 0;
};

Made merge_all(const char* structure, std::size_t n, std::uint64_t seed, std::size_t n_values, std::size_t threads) {
  LocalExecution local(threads);
  const Execution execution = local.get();
  RandomKeys keys(n, seed, n_values);
  const auto pairs = make_closest_pairs(structure, execution, keys, n);
  Made made;
  for (std::size_t left = n; left > 1; --left) {
    const ClosestPair best = pairs->best();
    EXPECT_EQ(keys.id(best.a), best.rank.first_id);
    EXPECT_EQ(keys.id(best.b), best.rank.second_id);
    made.pairs.push_back(best.rank);
    keys.merge(best.a);
    pairs->merge(best.a, best.b);
  }
  made.n_keys = pairs->n_keys();
  return made;
}

// All pairs looked at before every merge.
std::vector<RankedPair> brute_force(std::size_t n, std::uint64_t seed, std::size_t n_values) {
  const RandomKeys keys(n, seed, n_values);
  std::vector<std::uint32_t> live(n);
  std::iota(live.begin(), live.end(), std::uint32_t{0});
  std::vector<RankedPair> made;
  for (auto next = static_cast<std::uint32_t>(n); live.size() > 1; ++next) {
    RankedPair best{1e9, 0, 0};
    for (std::size_t j = 0; j < live.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) best = std::min(best, {keys.key(live[i], live[j]), live[i], live[j]});
    }
    made.push_back(best);
    std::erase(live, best.first_id);
    std::erase(live, best.second_id);
    live.push_back(next);
  }
  return made;
}

TEST(ClosestPairs, AreThoseOfBruteForce) {
  for (const std::size_t n : {2U, 3U, 5U, 17U, 40U}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      for (const std::size_t n_values : {1U, 3U, 1000000U}) {  // nothing but ties, many, few
        const std::vector<RankedPair> expected = brute_force(n, seed, n_values);
        for (const char* structure : {"naive", "fastpair", "conga"}) {
          EXPECT_EQ(merge_all(structure, n, seed, n_values, 1).pairs, expected)
              << structure << ", n " << n << ", seed " << seed << ", values " << n_values;
        }
      }
    }
  }
}

TEST(ClosestPairs, DoNotDependOnThreads) {
  constexpr std::size_t n = 2500;  // more than one thread takes at once
  constexpr std::size_t first_merges = 5;
  std::vector<std::vector<RankedPair>> found;
  for (const std::size_t threads : {1U, 2U, 4U}) {
    for (const char* structure : {"naive", "fastpair", "conga"}) {
      LocalExecution local(threads);
      const Execution execution = local.get();
      RandomKeys keys(n, 3, 100);
      if (threads == 1 && std::string(structure) != "fastpair") continue;
      const auto pairs = make_closest_pairs(structure, execution, keys, n);
      found.emplace_back();
      for (std::size_t i = 0; i < first_merges; ++i) {
        const ClosestPair best = pairs->best();
        found.back().push_back(best.rank);
        keys.merge(best.a);
        pairs->merge(best.a, best.b);
      }
    }
  }
  EXPECT_THAT(found, testing::Each(found.front()));
}

TEST(ClosestPairs, FastPairLooksAtFewPairs) {
  constexpr std::size_t n = 300;
  const std::uint64_t square = n * n;
  EXPECT_LT(merge_all("fastpair", n, 1, 1000000, 1).n_keys, 3 * square);
  EXPECT_GE(merge_all("fastpair", n, 1, 1000000, 1).n_keys, square - 2 * n);
}

TEST(ClosestPairs, CountTheKeys) {
  EXPECT_EQ(merge_all("fastpair", 2, 1, 100, 1).n_keys, 1U);
  EXPECT_EQ(merge_all("conga", 2, 1, 100, 1).n_keys, 1U);
  EXPECT_EQ(merge_all("naive", 2, 1, 100, 1).n_keys, 2U);
}

TEST(ClosestPairs, EndWhenAskedTo) {
  std::stop_source source;
  source.request_stop();
  LocalExecution local(1, StopSignal(source.get_token(), nullptr, {}));
  const Execution execution = local.get();
  const RandomKeys keys(20, 1, 100);
  for (const char* structure : {"naive", "fastpair", "conga"}) {
    EXPECT_THROW((void)make_closest_pairs(structure, execution, keys, 20), Stopped) << structure;
  }
}

TEST(ClosestPairs, OfAnUnknownNameAreRefused) {
  LocalExecution local(1);
  const RandomKeys keys(2, 1, 100);
  EXPECT_THROW((void)make_closest_pairs("heap", local.get(), keys, 2), OptionError);
}

TEST(RoundedKey, KeepsFortyBits) {
  EXPECT_EQ(rounded_key(1.0), 1.0);
  EXPECT_EQ(rounded_key(-3.25), -3.25);
  EXPECT_EQ(rounded_key(1.0 + std::ldexp(1.0, -39)), 1.0 + std::ldexp(1.0, -39));
  EXPECT_EQ(rounded_key(1.0 + std::ldexp(1.0, -41)), 1.0);
  EXPECT_EQ(rounded_key(2.0 - std::ldexp(1.0, -50)), 2.0);
  EXPECT_EQ(rounded_key(-100.0 - 1e-12), rounded_key(-100.0 + 1e-12));
  EXPECT_FALSE(std::signbit(rounded_key(-0.0)));
  EXPECT_EQ(rounded_key(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace coppice::internal
