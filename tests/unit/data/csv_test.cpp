// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "at_length.hpp"
#include "coppice/runtime/error.hpp"
#include "data/csv/read_csv.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// In a vector, so that a sanitizer sees one byte read too many (a string has a zero after its end).
Dataset parse(const std::string& text, const ReadOptions& options = {}) {
  auto bytes = std::make_shared<const std::vector<char>>(text.begin(), text.end());
  const Content content{bytes, {bytes->data(), bytes->size()}, "t.csv"};
  return csv::read(content, csv::find_layout(content), options);
}

std::string refusal(const std::string& text) {
  return message_of<DataError>([&] { (void)parse(text); });
}

std::vector<std::string> names_of(const Dataset& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  return names;
}

TEST(Csv, FindsEverySeparator) {
  for (const char* text : {"1,2,3\n4,5,6\n", "1;2;3\n4;5;6\n", "1\t2\t3\n4\t5\t6\n", "1 2 3\n4 5 6\n",
                           "  1  2 \t 3 \n4 5   6", "1 , 2,3\n 4,5 ,6\n", "1;  2; 3\n4;5;6", "1\t 2\t3\n4\t5 \t6"}) {
    const Dataset table = parse(text);
    EXPECT_EQ(table.n_columns(), 3U) << text;
    EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4, 5, 6)) << text;
    EXPECT_THAT(names_of(table), ElementsAre("x1", "x2", "x3"));
  }
}

TEST(Csv, ChoosesTheSeparatorByTheFieldsItMakes) {
  EXPECT_THAT(parse("1,\t2\n3,\t4\n").doubles(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(parse("a,\tb\n1,\t2\n").doubles(), ElementsAre(1, 2));
  EXPECT_THAT(parse("1,2\t\n3,4\t\n").doubles(), ElementsAre(1, 2, 3, 4));
  const Dataset table = parse("1.5,2,a;b\n3,4,c;d\n");
  EXPECT_THAT(table.doubles(), ElementsAre(1.5, 2, 3, 4));
  EXPECT_EQ(table.categories()[0], (CategoryColumn{"x3", {"a;b", "c;d"}, {0, 1}}));
  EXPECT_THAT(parse("who;n\nDoe, J;1\nRoe, A;2\n").categories()[0].levels, ElementsAre("Doe, J", "Roe, A"));
  EXPECT_THAT(refusal("a\tb\tc\n1\t\t2\n3\t\t4\n"), StartsWith("t.csv:2:2: the cell in column 'b' is empty"));
  EXPECT_THAT(parse("Jan 5 2020,1.5\nMay 6 2021,2.5\n").doubles(), ElementsAre(1.5, 2.5));
  EXPECT_THAT(parse("\"a\";1.5\n\"b\";2\n").doubles(), ElementsAre(1.5, 2));
}

TEST(Csv, SeparatesNumbersByBlanksButNotWords) {
  for (const char* text : {"New York\nLos Angeles\nNew York\n", "city\nNew York\nBerlin\n", "Group 1\nGroup 2\n"}) {
    const Dataset table = parse(text);
    EXPECT_EQ(table.n_columns(), 0U) << text;
    EXPECT_EQ(table.categories().size(), 1U) << text;
  }
  EXPECT_THAT(parse("city\nNew York\nBerlin\n").categories()[0],
              (CategoryColumn{"city", {"Berlin", "New York"}, {1, 0}}));
  const Dataset iris = parse("5.1 3.5 setosa\n6.2 2.9 virginica\n");
  EXPECT_THAT(iris.doubles(), ElementsAre(5.1, 3.5, 6.2, 2.9));
  EXPECT_EQ(iris.categories().size(), 1U);
}

TEST(Csv, NamesNamelessColumnsApart) {
  EXPECT_THAT(names_of(parse(",x1,x2\n0,1,2\n")), ElementsAre("x1_", "x1", "x2"));
  EXPECT_THAT(names_of(parse(",x1,x1_,\n0,1,2,3\n")), ElementsAre("x1__", "x1", "x1_", "x4"));
}

TEST(Csv, ReadsASingleColumn) {
  EXPECT_THAT(parse("1\n2\n3").doubles(), ElementsAre(1, 2, 3));
  EXPECT_THAT(names_of(parse("height\n1\n")), ElementsAre("height"));
}

TEST(Csv, FindsTheHeader) {
  EXPECT_THAT(names_of(parse("a,b\n1,2\n")), ElementsAre("a", "b"));
  EXPECT_THAT(names_of(parse("id,2019,2020\n1,2,3\n")), ElementsAre("id", "2019", "2020"));
  EXPECT_THAT(names_of(parse(",a,b\n0,1,2\n")), ElementsAre("x1", "a", "b"));
  EXPECT_THAT(names_of(parse(" a , \"b, \"\"c\"\"\" \n1,2\n")), ElementsAre("a", "b, \"c\""));
  EXPECT_EQ(parse("1,2\n3,4\n").n_rows(), 2U);
}

TEST(Csv, TakesALineWithAFractionAsData) {
  const Dataset table = parse("5.1,3.5,setosa\n6.2,2.9,virginica\n");
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_THAT(table.categories()[0].levels, ElementsAre("setosa", "virginica"));
}

TEST(Csv, SkipsBlankLinesCommentsAndByteOrderMark) {
  const Dataset table = parse("\xEF\xBB\xBF# made by hand\r\n\r\na,b\r\n  # more\r\n1,2\r\n   \r\n3,4\r\n# end");
  EXPECT_THAT(names_of(table), ElementsAre("a", "b"));
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4));
}

TEST(Csv, ReadsNumbersInEveryDress) {
  const Dataset table = parse("+1,-2.,.5,1e3,\"7\",\" 8 \",1E-400,0x\n+1,-2.,.5,1e3,\"7\",\" 8 \",1E-400,0x\n");
  EXPECT_THAT(parse("+1,-2.,.5,1e3,\"7\",\" 8 \",1E-400\n").doubles(), ElementsAre(1, -2, 0.5, 1000, 7, 8, 0));
  EXPECT_EQ(table.categories().size(), 1U);
  EXPECT_TRUE(std::signbit(parse("-0\n").doubles()[0]));
}

TEST(Csv, KeepsColumnsOfWordsAsCategories) {
  const Dataset table = parse("x,colour,y,size\n1,red,2,\"b\"\"ig\"\n3,blue,4,\"two\nlines\"\n5,red,6,\"NA\"\n");
  EXPECT_THAT(names_of(table), ElementsAre("x", "y"));
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_EQ(table.categories().size(), 2U);
  EXPECT_EQ(table.categories()[0], (CategoryColumn{"colour", {"blue", "red"}, {1, 0, 1}}));
  EXPECT_EQ(table.categories()[1], (CategoryColumn{"size", {"NA", "b\"ig", "two\nlines"}, {1, 2, 0}}));
}

TEST(Csv, PutsChosenColumnsInTheOrderAskedFor) {
  const std::string text = "a,b,c,d\n1,NA,u,4\n5,x,v,8\n";
  const Dataset table = parse(text, {.columns = {"d", "c", "1"}, .id = {}, .weights = {}});
  EXPECT_THAT(names_of(table), ElementsAre("d", "a"));
  EXPECT_THAT(table.doubles(), ElementsAre(4, 1, 8, 5));
  EXPECT_EQ(table.categories()[0].name, "c");
}

TEST(Csv, NamesTheFirstTextCellOfANumericColumn) {
  EXPECT_THAT(refusal("a,height\n1,2\n3,tall\n5,small\n"),
              StartsWith("t.csv:3:2: 'tall' in column 'height' is not a number"));
  EXPECT_THAT(refusal("a,height\n1,tall\n3,small\n5,6\n"), StartsWith("t.csv:2:2: 'tall' in column 'height'"));
  EXPECT_THAT(refusal("a,height\n1,tall\n3,\"6\"\n"), StartsWith("t.csv:2:2: 'tall'"));
  EXPECT_THAT(refusal("1,2\n3,1.2.3\n"), StartsWith("t.csv:2:2: '1.2.3' in column 'x2'"));
  EXPECT_THAT(refusal("1,2\n3,+-4\n"), StartsWith("t.csv:2:2: '+-4'"));
  EXPECT_THAT(refusal("1,2\n3,++4\n"), StartsWith("t.csv:2:2: '++4'"));
}

TEST(Csv, RefusesMissingValuesAtTheirPlace) {
  for (const char* missing : {"NA", "null", "N/A", "#N/A", "?"}) {
    EXPECT_THAT(refusal(fmt::format("a,b\n1,2\n\n# c\n3, {} \n", missing)),
                StartsWith(fmt::format("t.csv:5:2: '{}' in column 'b' is a missing value, expected", missing)));
    EXPECT_THAT(refusal(fmt::format("a,b\n1,{}\n3,4\n", missing)), StartsWith("t.csv:2:2: "));
    EXPECT_THAT(refusal(fmt::format("a,b\n1,u\n3,{}\n", missing)), StartsWith("t.csv:3:2: "));
  }
  EXPECT_THAT(refusal("a,b\n1,2\n3,\n"), StartsWith("t.csv:3:2: the cell in column 'b' is empty, expected a value"));
  EXPECT_THAT(refusal("a,b\n,2\n"), StartsWith("t.csv:2:1: the cell in column 'a' is empty"));
  EXPECT_THAT(refusal("a,b\nu,2\n\"\",3\n"), StartsWith("t.csv:3:1: the cell"));
  EXPECT_THAT(refusal("a\tb\n1\t2\n\t\n"), StartsWith("t.csv:3:1: the cell"));
  EXPECT_THAT(refusal("NA,2\n1,3\n"), StartsWith("t.csv:1:1: 'NA'"));
}

TEST(Csv, RefusesInfiniteAndTooLargeNumbers) {
  for (const char* infinite : {"inf", "-inf", "Infinity", "+INF"}) {
    EXPECT_THAT(refusal(fmt::format("a,b\n1,2\n3,{}\n", infinite)), HasSubstr("t.csv:3:2: ")) << infinite;
    EXPECT_THAT(refusal(fmt::format("a,b\n1,2\n3,{}\n", infinite)), HasSubstr("is not finite")) << infinite;
  }
  EXPECT_THAT(refusal("a,b\n1,2\n3,1e999\n"), HasSubstr("t.csv:3:2: '1e999' in column 'b' is too large"));
}

TEST(Csv, RefusesDecimalCommasWithAHint) {
  for (const char* text : {"a;b\n1,5;2\n", "1,5;2,5\n3,5;4,5\n", "1,5\t2,5\n", "1,5 2,5\n3,5 4,5\n", "\"1,5\",2\n",
                           "a;b\n-1.234,5e+3;2\n"}) {
    EXPECT_THAT(refusal(text), HasSubstr(":1: ")) << text;
    EXPECT_THAT(refusal(text), HasSubstr("decimal comma, expected a decimal point")) << text;
  }
  EXPECT_EQ(parse("1,2\n3,4\n").n_columns(), 2U);
}

TEST(Csv, RefusesRowsOfAnotherLength) {
  EXPECT_THAT(refusal("a,b,c\n1,2,3\n4,5\n"), StartsWith("t.csv:3: the row has 2 fields, expected 3 as in the header"));
  EXPECT_THAT(refusal("1,2\n3,4,5,6\n"), StartsWith("t.csv:2: the row has 4 fields, expected 2 as in the first row"));
  EXPECT_THAT(refusal("a b\n1 2\n3\n"), StartsWith("t.csv:3: the row has 1 field, expected 2"));
  EXPECT_THAT(refusal("a,b\n1\n"), StartsWith("t.csv:2: the row has 1 field"));
  EXPECT_THAT(refusal("a,\"b\nc\"\n1,2,3\n"), StartsWith("t.csv:3: the row has 3 fields"));
  EXPECT_THAT(refusal("name\n1,2\n3,4\n"), StartsWith("t.csv:2: the row has 2 fields, expected 1"));
}

TEST(Csv, RefusesBrokenQuotes) {
  EXPECT_THAT(refusal("a,b\n1,\"2\n3,4\n"), StartsWith("t.csv:2:2: a quote opens here and never closes"));
  EXPECT_THAT(refusal("a,b\n1,\"2\"x\n"), StartsWith("t.csv:2:2: text follows the closing quote"));
}

TEST(Csv, CountsLinesInsideQuotes) { EXPECT_THAT(refusal("a,b\n\"x\n\ny\",1\nz,w\n"), StartsWith("t.csv:5:2: 'w'")); }

TEST(Csv, RefusesFilesWithoutRows) {
  EXPECT_THAT(refusal(""), HasSubstr("t.csv: the file is empty"));
  EXPECT_THAT(refusal("\n \n# nothing\n"), HasSubstr("only blank lines and comments"));
  EXPECT_THAT(refusal("# nothing\na,b\n\n"), HasSubstr("only a header (line 2), no rows"));
}

TEST(Csv, RefusesWhatIsNoText) {
  EXPECT_THAT(refusal("1,2\n3,\0\n"s), StartsWith("t.csv:2: a NUL byte (byte 7 of the file)"));
  EXPECT_THAT(refusal("\xFF\xFE"
                      "1\0,\0"s),
              HasSubstr("UTF-16"));
  EXPECT_THAT(refusal("1,2\r3,4\r"), HasSubstr("carriage returns"));
  EXPECT_THAT(refusal("a,b\n1,caf\xE9\n"), StartsWith("t.csv:2:2: 'caf\\xe9' is not UTF-8"));
  EXPECT_THAT(refusal("a,\xED\xA0\x80\n1,2\n"), StartsWith("t.csv:1:2: "));
  EXPECT_EQ(parse("1\r").n_rows(), 1U);
}

TEST(Csv, RefusesTheSameNameTwice) {
  EXPECT_THAT(refusal("a,b,a\n1,2,3\n"), StartsWith("t.csv:1:3: the column name 'a' appears twice (columns 1 and 3)"));
}

TEST(Csv, ShowsLongAndUnprintableCellsShortAndPlain) {
  EXPECT_THAT(refusal("1\n2\n" + std::string(1000, 'y') + "\n"), HasSubstr("'" + std::string(40, 'y') + "...'"));
  EXPECT_THAT(refusal("1\n2\n\x1B[31mred\n"), HasSubstr("'\\x1b[31mred'"));
}

TEST(Csv, RandomDoublesComeBackBitForBit) {
  std::mt19937_64 random(3);
  for (const char separator : {',', ';', '\t', ' '}) {
    std::vector<double> values;
    std::string text;
    while (values.size() < 3000) {
      const auto value = std::bit_cast<double>(random());
      if (!std::isfinite(value)) continue;
      values.push_back(value);
      text += fmt::format("{:.17g}{}", value, values.size() % 3 == 0 ? '\n' : separator);
    }
    const Dataset table = parse(text);
    ASSERT_EQ(table.n_rows(), 1000U);
    EXPECT_EQ(std::memcmp(table.doubles().data(), values.data(), values.size() * sizeof(double)), 0);
  }
}

TEST(Csv, SurvivesDamagedBytes) {
  const std::string text = "a,b,\"c \"\"d\"\n1,2.5,red\n# x\n-3e2,+4,\"bl\nue\"\r\n5,6,\"NA\"\n";
  ASSERT_EQ(parse(text).n_rows(), 3U);
  const std::string nasty = "\",;\t \n\r#+-.0eENn\xFF\xC3";
  std::mt19937_64 random(4);
  const int n_rounds = n_cases(10000, 50000);
  for (int round = 0; round < n_rounds; ++round) {
    std::string damaged = text.substr(0, round % 5 == 0 ? random() % text.size() : text.size());
    for (int change = 0; change < 1 + round % 4 && !damaged.empty(); ++change) {
      const bool is_any = random() % 4 == 0;
      damaged[random() % damaged.size()] = is_any ? static_cast<char>(random()) : nasty[random() % nasty.size()];
    }
    try {
      const Dataset table = parse(damaged);
      EXPECT_LE(table.n_rows(), 30U);
    } catch (const DataError&) {
      continue;  // the other right answer
    }
  }
}

}  // namespace
}  // namespace coppice::internal
