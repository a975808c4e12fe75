// SPDX-License-Identifier: BSD-3-Clause
// Kinds that the user declares, missing entries that are kept, and the numbers of every length.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "coppice/data/csv/scanner.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/error.hpp"
#include "data/csv/read_csv.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using Types = std::map<std::string, ColumnKind>;

Dataset parse(const std::string& text, const ReadOptions& options = {}) {
  const Content content = content_of(text, "t.csv");
  return csv::read(content, csv::find_layout(content), options);
}

template <class Expected = DataError>
std::string refusal(const std::string& text, const ReadOptions& options) {
  return message_of<Expected>([&] { (void)parse(text, options); });
}

ReadOptions declaring(Types types) { return {.types = std::move(types)}; }
const ReadOptions with_gaps = {.keep_missing = true};

std::vector<ColumnKind> kinds_of(const Dataset& table) {
  std::vector<ColumnKind> kinds;
  for (const Column& column : table.columns()) kinds.push_back(column.kind);
  return kinds;
}

TEST(CsvTypes, DeclaredKindsReplaceTheGuess) {
  const std::string text = "a,b,c\n0,1,1\n1,2,0\n";
  EXPECT_THAT(kinds_of(parse(text)), ElementsAre(ColumnKind::binary, ColumnKind::count, ColumnKind::binary));
  EXPECT_THAT(kinds_of(parse(text, declaring({{"a", ColumnKind::real}, {"3", ColumnKind::count}}))),
              ElementsAre(ColumnKind::real, ColumnKind::count, ColumnKind::count));
}

TEST(CsvTypes, NumbersBecomeWordsWhereDeclared) {
  const Dataset table = parse("zip,x\n007,1\n10,2\n007,3\n1e3,4\ninf,5\n", declaring({{"zip", ColumnKind::category}}));
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(table.categories()[0], (CategoryColumn{"zip", {"007", "10", "1e3", "inf"}, {0, 1, 0, 2, 3}}));
  EXPECT_EQ(parse("zip,x\n007,1\nabc,2\n", declaring({{"1", ColumnKind::category}})).categories()[0].levels.size(), 2U);
}

TEST(CsvTypes, WordsInNumericKindsAreNamed) {
  const std::string text = "x,colour\n1,2\n3,red\n5,blue\n";
  for (const ColumnKind kind : {ColumnKind::real, ColumnKind::count, ColumnKind::binary}) {
    EXPECT_THAT(refusal("x,colour\n1,red\n3,blue\n", declaring({{"colour", kind}})),
                StartsWith(fmt::format("t.csv:2:2: 'red' in column 'colour' is not a number, as its kind '{}' asks",
                                       to_string(kind))));
  }
  EXPECT_THAT(refusal(text, declaring({{"colour", ColumnKind::real}})), StartsWith("t.csv:3:2: 'red'"));
}

TEST(CsvTypes, ValuesOfCountsAndBinariesAreChecked) {
  const std::string text = "x,n\n1,2\n\n3,\"4\"\n5,2.5\n6,-1\n";
  EXPECT_THAT(refusal(text, declaring({{"n", ColumnKind::count}})),
              StartsWith("t.csv:5:2: 2.5 in column 'n' is not a whole number from 0 on, as its kind 'count' asks"));
  EXPECT_THAT(refusal(text, declaring({{"n", ColumnKind::binary}})),
              StartsWith("t.csv:2:2: 2 in column 'n' is not 0 or 1, as its kind 'binary' asks"));
  EXPECT_THAT(refusal("n\n0\n1\n\"2\"\n", declaring({{"n", ColumnKind::binary}})), StartsWith("t.csv:4:1: 2 in"));
  EXPECT_THAT(refusal("n,m\n3,1\n-3,1\n", declaring({{"n", ColumnKind::count}})), StartsWith("t.csv:3:1: -3 in"));
}

TEST(CsvTypes, UnknownAndContradictoryColumnsAreRefused) {
  EXPECT_THAT(refusal<OptionError>("a,b\n1,2\n", declaring({{"c", ColumnKind::real}})),
              HasSubstr("no column 'c'; choose from a, b"));
  EXPECT_THAT(refusal<OptionError>("a,b\n1,2\n", declaring({{"a", ColumnKind::real}, {"1", ColumnKind::count}})),
              HasSubstr("column 'a' is declared both as 'count' and as 'real'"));
  EXPECT_EQ(parse("a,b\n1,2\n", declaring({{"a", ColumnKind::real}, {"1", ColumnKind::real}})).n_columns(), 2U);
}

TEST(CsvGaps, MissingCellsAreKeptWhereAsked) {
  const Dataset table = parse("a,b,c\nNA,1,\n2,,3\n4,n/a,\"\"\n5, ? ,#N/A\n6,null,7\n", with_gaps);
  ASSERT_EQ(table.n_rows(), 5U);
  EXPECT_TRUE(std::isnan(table.value(0, 0)));
  EXPECT_THAT((std::vector{table.n_missing(0), table.n_missing(1), table.n_missing(2)}), ElementsAre(1, 4, 3));
  EXPECT_EQ(table.value(1, 2), 3.0);
  EXPECT_EQ(table.value(4, 0), 6.0);
  EXPECT_FALSE(parse("a,b\n1,2\n", with_gaps).has_missing());
}

TEST(CsvGaps, TheFirstCellThatIsThereDecides) {
  const Dataset table = parse("x,w,y\n1,NA,NA\n2,,NA\n3,NA,NA\n", with_gaps);
  EXPECT_EQ(table.n_columns(), 3U);  // a column without any value counts as numbers
  EXPECT_EQ(table.n_missing(1), 3U);
  const CategoryColumn words = parse("x,w\n1,NA\n2,red\n3,blue\n4,\n5,red\n", with_gaps).categories().at(0);
  EXPECT_THAT(words.levels, ElementsAre("blue", "red"));
  EXPECT_THAT(words.codes, ElementsAre(no_word, 1, 0, no_word, 1));
  EXPECT_EQ(n_missing(words), 2U);
  EXPECT_EQ(n_missing(parse("x,w\n1,red\n2,\"NA\"\n", with_gaps).categories().at(0)), 0U);
  EXPECT_EQ(n_missing(parse("x,w\n1,red\n2,\"\"\n", with_gaps).categories().at(0)), 1U);
}

TEST(CsvGaps, AreRefusedAmongWordsUnlessKept) {
  EXPECT_THAT(refusal("x,w\n1,red\n2,\n", {}), StartsWith("t.csv:3:2: the cell in column 'w' is empty"));
  const ReadOptions declared = {.types = {{"w", ColumnKind::category}}};
  EXPECT_THAT(refusal("x,w\n1,red\n2,NA\n", declared), StartsWith("t.csv:3:2: 'NA' in column 'w' is a missing value"));
}

TEST(CsvGaps, DeclaredColumnsMayHaveGapsToo) {
  const ReadOptions options = {.types = {{"n", ColumnKind::count}}, .keep_missing = true};
  const Dataset table = parse("n,x\n1,2\n,3\nNA,4\n", options);
  EXPECT_EQ(table.n_missing(0), 2U);
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::count);
  EXPECT_THAT(refusal("n,x\n,2\n2.5,3\n", options), StartsWith("t.csv:3:1: 2.5 in column 'n'"));
}

TEST(CsvGaps, NanAndInfinityAreNeverGaps) {
  for (const char* bad : {"nan", "NaN", "-nan", "inf", "-Infinity"}) {
    for (const char* text : {"a,b\n1,2\n3,{}\n", "a,b\n1,NA\n3,{}\n", "a,b\n1,u\n3,{}\n"}) {
      EXPECT_THAT(refusal(fmt::format(fmt::runtime(text), bad), with_gaps), StartsWith("t.csv:3:2: ")) << bad << text;
    }
  }
  EXPECT_THAT(refusal("a,b\n1,2\n3,nan\n", with_gaps),
              StartsWith("t.csv:3:2: 'nan' in column 'b' is not a number, expected a finite number"));
}

TEST(CsvGaps, WeightsAndNamesAreNeverMissing) {
  EXPECT_THAT(refusal("w,x\n1,2\n,3\n", {.weights = "w", .keep_missing = true}), StartsWith("t.csv:3:1: the cell"));
  EXPECT_THAT(refusal("i,x\na,2\n,3\n", {.id = "i", .keep_missing = true}), StartsWith("t.csv:3:1: the cell"));
}

// A look at later rows must not report what is wrong there before what is wrong above.
TEST(CsvGaps, TheFirstBadLineIsNamedAllTheSame) {
  EXPECT_THAT(refusal("a,b\n1,NA\nbad,NA\n3,\"open\n", with_gaps), StartsWith("t.csv:3:1: 'bad'"));
  EXPECT_THAT(refusal("a,b\n1,NA\n2,NA,5\n3,nan\n", with_gaps), StartsWith("t.csv:3: the row has 3 fields"));
}

TEST(CsvNumbers, ComeOutAsTheNearestDouble) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200000; ++round) {
    const std::size_t n_digits = 1 + random() % 19;
    std::string text = random() % 2 == 0 ? "-" : "";
    const std::size_t point = random() % (n_digits + 2);
    for (std::size_t digit = 0; digit < n_digits; ++digit) {
      if (digit == point) text += '.';
      text += static_cast<char>('0' + random() % 10);
    }
    if (random() % 8 == 0) text += fmt::format("e{}", static_cast<int>(random() % 40) - 20);
    const double expected = std::stod(text);
    for (const std::string& line : {text, text + "\n", text + " ,\n"}) {
      csv::Scanner scanner(line, 1, ',', "");
      double value = 0.0;
      ASSERT_TRUE(scanner.next_record() && scanner.number(value)) << line;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected)) << line;
    }
  }
}

TEST(CsvNumbers, MayBeShortAndLongInTurn) {
  EXPECT_THAT(parse("1,0.12345678901234567\n3.14159265358979312,2\n-5,6e2\n").doubles(),
              ElementsAre(1, 0.12345678901234567, 3.14159265358979312, 2, -5, 600));
  for (const char* bad : {"1.2.3", "-", ".", "-.", "1e", "1e+", "--1", "1-", "0x10", "1_000", "1 2"}) {
    EXPECT_THAT(refusal(fmt::format("1,2\n3,{}\n", bad), {}), StartsWith(fmt::format("t.csv:2:2: '{}'", bad)));
  }
}

TEST(CsvSeparators, VerticalBarsSeparateToo) {
  const Dataset table = parse("a|b|c\n1|2.5|red, blue\n3|4|x;y\n");
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2.5, 3, 4));
  EXPECT_THAT(table.categories()[0].levels, ElementsAre("red, blue", "x;y"));
  EXPECT_THAT(refusal("a|b\n1|2\n3\n", {}), HasSubstr("(fields are separated by vertical bars)"));
  EXPECT_EQ(parse("1.5,a|b\n2,c|d\n").categories()[0].levels[0], "a|b");
}

TEST(CsvSeparators, OneRowOneColumnAndBoth) {
  EXPECT_THAT(parse("1,2,3").doubles(), ElementsAre(1, 2, 3));
  EXPECT_THAT(parse("a,b\n1,2").doubles(), ElementsAre(1, 2));
  EXPECT_THAT(parse("7").doubles(), ElementsAre(7));
  EXPECT_THAT(parse("\xEF\xBB\xBFx\r\n7\r\n").doubles(), ElementsAre(7));
}

}  // namespace
}  // namespace coppice::internal
