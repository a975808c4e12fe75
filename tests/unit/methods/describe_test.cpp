// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/describe.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Range, ContainsItsEndsUnlessExcluded) {
  EXPECT_TRUE(Range::any().contains(-1e300));
  EXPECT_TRUE(Range::any().contains(0.0));
  EXPECT_FALSE(Range::any().contains(nan));
  EXPECT_FALSE(Range::positive().contains(0.0));
  EXPECT_FALSE(Range::positive().contains(-0.0));
  EXPECT_FALSE(Range::positive().contains(-1.0));
  EXPECT_FALSE(Range::positive().contains(nan));
  EXPECT_TRUE(Range::positive().contains(std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(Range::at_least(3).contains(3.0));
  EXPECT_FALSE(Range::at_least(3).contains(std::nextafter(3.0, 0.0)));
  const Range both{0.0, 1.0, false};
  EXPECT_TRUE(both.contains(0.0));
  EXPECT_TRUE(both.contains(1.0));
  EXPECT_FALSE(both.contains(std::nextafter(1.0, 2.0)));
  EXPECT_FALSE(both.contains(infinity));
}

TEST(Range, SaysWhatItAccepts) {
  EXPECT_EQ(Range::any().to_string(), "any number");
  EXPECT_EQ(Range::positive().to_string(), "greater than 0");
  EXPECT_EQ(Range::at_least(1).to_string(), "at least 1");
  EXPECT_EQ((Range{0.0, 1.0, true}.to_string()), "greater than 0, at most 1");
  EXPECT_EQ((Range{-infinity, 2.5, false}.to_string()), "at most 2.5");
}

TEST(Choices, SayWhatTheyAccept) {
  EXPECT_EQ((Choices{{"auto", "paper"}}.to_string()), "auto, paper");
  EXPECT_EQ(Choices{}.to_string(), "");
}

TEST(KRange, IsANumberOrTwo) {
  EXPECT_EQ(KRange::parse("5"), (KRange{5, 5}));
  EXPECT_EQ(KRange::parse("2..10"), (KRange{2, 10}));
  EXPECT_EQ(KRange::parse("3..3"), (KRange{3, 3}));
  EXPECT_EQ(KRange::parse("0"), (KRange{0, 0})) << "whether 0 makes sense is for the option to say";
  EXPECT_EQ(KRange::parse("18446744073709551615").low, std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(KRange::parse("7..7").is_one());
  EXPECT_FALSE(KRange::parse("7..8").is_one());
}

TEST(KRange, SaysWhatItWasReadFrom) {
  for (const char* text : {"5", "2..10", "1..2"}) EXPECT_EQ(KRange::parse(text).to_string(), text);
  EXPECT_EQ((KRange{4, 4}.to_string()), "4");
}

TEST(KRange, RefusesAnythingElse) {
  for (const char* text : {"", "..", "2..", "..5", "2...5", "2..5..7", "2-5", "-1", "+3", " 5", "5 ", "1e3", "2.5",
                           "ten", "18446744073709551616"}) {
    EXPECT_EQ(message_of<OptionError>([&] { (void)KRange::parse(text); }),
              fmt::format("'{}' is not a number of clusters; write 5, or 2..10 for a range", text));
  }
  EXPECT_EQ(message_of<OptionError>([] { (void)KRange::parse("5..2"); }), "5..2 runs backwards");
}

TEST(CheckOption, NamesTheOptionTheValueAndTheRemedy) {
  EXPECT_NO_THROW(check_option("phi0", 0.5, Range::positive()));
  EXPECT_EQ(message_of<OptionError>([] { check_option("time_limit", -2.0, Range::positive()); }),
            "time_limit is -2, but must be greater than 0");
  EXPECT_EQ(message_of<OptionError>([] { check_option("alpha", nan, Range::positive()); }),
            "alpha is nan, but must be greater than 0");
  EXPECT_NO_THROW(check_option("search", "paper", Choices{{"auto", "paper"}}));
  EXPECT_EQ(message_of<OptionError>([] {
              check_option("search", "Paper", Choices{{"auto", "paper"}});
            }),
            "search is 'Paper'; choose one of: auto, paper");
}

// Every kind of option a method can have.
struct Toy {
  double real = 1.0;
  std::optional<double> maybe_real = {};
  std::uint64_t count = 1;
  std::optional<std::uint64_t> maybe_count = {};
  KRange k = {1, 1};
  std::string word = "a";
  std::optional<Table> table = {};
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, Toy>
void describe(Self& o, Visit&& visit) {
  visit("real", o.real, Range::positive(), "");
  visit("maybe_real", o.maybe_real, Range::positive(), "");
  visit("count", o.count, Range::at_least(1), "");
  visit("maybe_count", o.maybe_count, Range::at_least(1), "");
  visit("k", o.k, Range::at_least(1), "");
  visit("word", o.word, Choices{{"a", "b"}}, "");
  visit("table", o.table, AnyTable{"any"}, "");
}

std::string complaint(const Toy& toy) {
  return message_of<OptionError>([&] { check_options(toy); });
}

TEST(CheckOptions, LooksAtEveryOption) {
  EXPECT_NO_THROW(check_options(Toy{}));
  EXPECT_NO_THROW(check_options(Toy{.maybe_real = 2.0, .maybe_count = 3, .word = "b", .table = Table{1, 1, {0.0}}}));
  EXPECT_TRUE(complaint({.real = 0.0}).starts_with("real is 0"));
  EXPECT_TRUE(complaint({.maybe_real = -1.0}).starts_with("maybe_real is -1"));
  EXPECT_TRUE(complaint({.count = 0}).starts_with("count is 0"));
  EXPECT_TRUE(complaint({.maybe_count = 0}).starts_with("maybe_count is 0"));
  EXPECT_TRUE(complaint({.k = {0, 3}}).starts_with("k is 0"));
  EXPECT_TRUE(complaint({.word = ""}).starts_with("word is ''"));
}

// No option without a help text, none twice, and the defaults are allowed.
// Every option is named once and has help.
struct GoodDescription {
  std::set<std::string> seen = {};

  void operator()(std::string_view name, const auto& /*value*/, const auto& /*accepted*/, std::string_view help) {
    check(name, help);
  }
  void operator()(std::string_view name, bool /*value*/, std::string_view help) { check(name, help); }

 private:
  void check(std::string_view name, std::string_view help) {
    EXPECT_TRUE(seen.emplace(name).second) << name;
    EXPECT_FALSE(help.empty()) << name;
  }
};

template <class Options>
void expect_good_description() {
  const Options defaults;
  EXPECT_NO_THROW(check_options(defaults));
  GoodDescription description;
  describe(defaults, description);
  EXPECT_FALSE(description.seen.empty());
}

TEST(Describe, MethodsAndRunsDescribeThemselves) {
  expect_good_description<BayesianKMeans>();
  expect_good_description<KMeans>();
  expect_good_description<RunOptions>();
}

}  // namespace
}  // namespace coppice
