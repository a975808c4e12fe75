// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/libsvm/read_libsvm.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Dataset read_text(const std::string& text, const ReadOptions& options = {}) {
  return read(TemporaryFile(text, ".svm").path(), options);
}

template <class Expected = DataError>
std::string refusal(const std::string& text) {
  return message_of<Expected>([&] { (void)read_text(text); });
}

TEST(Libsvm, ReadsSparseRows) {
  const Dataset table = read_text("+1 1:0.5 3:-2e1\n-1 2:1\n");
  ASSERT_TRUE(table.is_sparse());
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.n_columns(), 3U);
  EXPECT_EQ(table.storage(), Storage::float64);
  EXPECT_THAT(table.sparse_row(0).columns, ElementsAre(0, 2));
  EXPECT_THAT(table.sparse_row(0).doubles, ElementsAre(0.5, -20));
  EXPECT_THAT(table.sparse_row(1).columns, ElementsAre(1));
  EXPECT_EQ(table.columns()[2].name, "x3");
}

TEST(Libsvm, SkipsCommentsBlankLinesAndQueries) {
  const std::string text =
      "# made by hand\r\n\r\n  3 qid:7 1:1 2:2 # first\r\n\t\n# between\n0.5 qid:8\n4\t1:+4  2:5\t \n2 1:6#tight";
  const Dataset table = read_text(text);
  EXPECT_EQ(table.n_rows(), 4U);
  EXPECT_THAT(table.sparse_row(0).doubles, ElementsAre(1, 2));
  EXPECT_THAT(table.sparse_row(1).doubles, IsEmpty());
  EXPECT_THAT(table.sparse_row(2).doubles, ElementsAre(4, 5));
  EXPECT_THAT(table.sparse_row(3).doubles, ElementsAre(6));
}

TEST(Libsvm, CountsFromZeroIfAnIndexIsZero) {
  const Dataset table = read_text("1 1:5\n1 0:4 2:6\n");
  EXPECT_EQ(table.n_columns(), 3U);
  EXPECT_THAT(table.sparse_row(0).columns, ElementsAre(1));
  EXPECT_THAT(table.sparse_row(1).columns, ElementsAre(0, 2));
}

TEST(Libsvm, ZerosThatAreWrittenOutCountForTheWidthAlone) {
  const Dataset table = read_text("1 1:0 2:3 9:0\n1 2:-0\n");
  EXPECT_EQ(table.n_columns(), 9U);
  EXPECT_EQ(table.n_entries(), 2U);
  EXPECT_TRUE(std::signbit(table.sparse_row(1).doubles[0]));
}

TEST(Libsvm, ReadsTheFirstRowsOnly) {
  const Dataset table = read_text("1 1:1\n2 2:2\n3 7:7\n4 broken\n", {.max_rows = 2});
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.n_columns(), 2U);
  EXPECT_THAT(message_of<DataError>([] { (void)read_text("1\n2\n3 1:1\n", {.max_rows = 2}); }),
              HasSubstr("the first 2 rows have no pair"));
}

TEST(Libsvm, GivesItsLabels) {
  const auto labels = [](const std::string& text) { return read_labels(TemporaryFile(text, ".svm").path()); };
  EXPECT_THAT(labels("# x\n+1 1:0.5\n-1 2:1 # y\n3.0\n1e2 1:1\n"), ElementsAre(1, -1, 3, 100));
  EXPECT_THAT(message_of<DataError>([&] { (void)labels("1 1:1\n  0.5 1:1\n"); }),
              HasSubstr(".svm:2:3: the label is 0.5, expected a whole number"));
  EXPECT_THAT(message_of<DataError>([&] { (void)labels("1 1:1\n1 1:x\n"); }), HasSubstr(":2:3: '1:x'"));
}

TEST(Libsvm, ChoosesColumnsWithoutMakingThemDense) {
  const Dataset table = read_text("1 1:5 2:6\n1 3:7\n", {.columns = {"3", "x1"}});
  EXPECT_TRUE(table.is_sparse());
  EXPECT_EQ(table.columns()[0].name, "x3");
  EXPECT_EQ(table.value(1, 0), 7);
  EXPECT_EQ(table.value(0, 1), 5);
}

TEST(Libsvm, SaysWhereAPairIsWrong) {
  const std::string good = "1 1:1 2:2\n";
  for (const char* bad : {"x", "1", ":", "3:", ":3", "3:x", "3:1x", "3:nan", "3:inf", "3:-inf", "3:1e999", "-1:5",
                          "1.5:2", "3:4:5", "3:1,5", "3:+-1", "cost:3", "3 :5", "3: 5"}) {
    EXPECT_THAT(refusal(good + "# c\n1 1:1 " + bad + " 9:1\n"), HasSubstr(".svm:3:7: '")) << bad;
  }
  EXPECT_THAT(refusal(good + "1 1:1 3:x"), HasSubstr(":2:7: '3:x' is not a pair index:value"));
}

TEST(Libsvm, RefusesIndicesThatDoNotIncrease) {
  EXPECT_THAT(refusal("1 2:1 1:2\n"), HasSubstr(":1:7: index 1 comes after index 2"));
  EXPECT_THAT(refusal("1 2:1 2:2\n"), HasSubstr(":1:7: index 2 comes after index 2"));
}

TEST(Libsvm, RefusesIndicesBeyondTheLimit) {
  EXPECT_THAT(refusal<LimitError>("1 4194305:1\n"), HasSubstr(":1:3: the index of '4194305:1' is larger than 4194304"));
  EXPECT_THAT(refusal<LimitError>("1 99999999999999999999999:1\n"), HasSubstr("larger than 4194304"));
  EXPECT_EQ(read_text("1 4194304:1\n").n_columns(), Dataset::most_sparse_columns);
  EXPECT_THAT(refusal<LimitError>("1 0:1 4194304:1\n"), HasSubstr("4194305 columns"));
}

TEST(Libsvm, RefusesLabelsThatAreNone) {
  EXPECT_THAT(refusal("1,3 1:0.5\n"), HasSubstr(":1:1: the row has several labels ('1,3'), expected one"));
  EXPECT_THAT(refusal("1:0.5 2:1\n"), HasSubstr(":1:1: '1:0.5' is not a label; expected a number before the pairs"));
  EXPECT_THAT(refusal("1 1:1\nspam 1:1\n"), HasSubstr("'spam"));
  EXPECT_THAT(refusal("1 1:1\n--1 1:1\n"), HasSubstr(":2:1: '--1' is not a label"));
}

TEST(Libsvm, IsToldFromTextTables) {
  for (const char* text : {"1 1:1", "# c\n\n-1 3:0.5 # d\n", "1\n2\n0 1:1\n", "1:2 2:3\n", "1,2 1:1\n", "1 qid:3 1:2\n",
                           "\xEF\xBB\xBF"
                           "1 1:1\n"}) {
    EXPECT_TRUE(libsvm::looks_like_libsvm(text)) << text;
  }
  for (const char* text :
       {"", "\n", "1\n2\n", "1 2 3\n", "a,b\n1,2\n", "time value\n12:30 5\n", "2020-01-01 12:30:00,5\n", "1 12:30:15\n",
        "x 1:1\n", "1 a:1\n", "12:30,5\n", "a:b\n", "1 1:1 5\n"}) {
    EXPECT_FALSE(libsvm::looks_like_libsvm(text)) << text;
  }
}

TEST(Libsvm, SurvivesDamagedBytes) {
  const std::string good = "1 1:0.5 3:2\n-1 qid:2 2:1 # c\n\n0 4:1e3\n";
  std::mt19937_64 random(3);
  constexpr std::string_view letters = "0123456789:., \t\n\r#+-eExqid\0";
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = good;
    for (int change = 0; change < 1 + round % 4; ++change) {
      damaged[random() % damaged.size()] = letters[random() % letters.size()];
    }
    damaged.resize(1 + random() % damaged.size());
    const std::vector<char> bytes(damaged.begin(), damaged.end());  // without a zero after its end
    try {
      const Dataset table = libsvm::read({nullptr, {bytes.data(), bytes.size()}, "damaged"}, {});
      EXPECT_LE(table.n_rows(), 8U);
    } catch (const Error&) {
      continue;  // the other right answer
    }
  }
}

}  // namespace
}  // namespace coppice
