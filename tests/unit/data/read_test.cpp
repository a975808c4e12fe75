// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/read.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "coppice/data/npy.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

ReadOptions choosing(std::vector<std::string> columns) {
  return {.columns = std::move(columns), .id = {}, .weights = {}};
}
ReadOptions naming(std::string id) { return {.columns = {}, .id = std::move(id), .weights = {}}; }
ReadOptions weighing(std::string weights) { return {.columns = {}, .id = {}, .weights = std::move(weights)}; }

Dataset read_text(const std::string& text, const ReadOptions& options = {}) {
  return read(TemporaryFile(text).path(), options);
}

template <class Expected>
std::string refusal(const std::string& text, const ReadOptions& options = {}) {
  return message_of<Expected>([&] { (void)read_text(text, options); });
}

const std::string npy_table = npy::to_bytes(std::vector<double>{1, 0.5, 7, 2, 1.5, 8}, {2, 3});

TEST(Read, GoesByContentNotByName) {
  const TemporaryFile csv("a,b\n1,2\n", ".npy");
  EXPECT_EQ(read(csv.path()).columns()[1].name, "b");
  const TemporaryFile npy(npy_table, ".csv");
  EXPECT_EQ(read(npy.path()).n_columns(), 3U);
}

TEST(Read, ReadsStandardInput) {
  const TemporaryFile file("a,b\n1,2\n");
  const int saved = ::dup(STDIN_FILENO);
  const int opened = ::open(file.path().c_str(), O_RDONLY);
  ASSERT_GE(::dup2(opened, STDIN_FILENO), 0);
  const Dataset table = read("-");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(opened);
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2));
}

TEST(Read, SaysWhyAFileCannotBeRead) {
  const std::string missing = testing::TempDir() + "no_such_file.csv";
  EXPECT_THAT(message_of<IoError>([&] { (void)read(missing); }), HasSubstr("no_such_file.csv: No such file"));
  EXPECT_THAT(message_of<IoError>([] { (void)read(testing::TempDir()); }), HasSubstr("Is a directory"));
  if (::geteuid() != 0) {
    const TemporaryFile secret("1,2\n");
    std::filesystem::permissions(secret.path(), std::filesystem::perms::none);
    EXPECT_THAT(message_of<IoError>([&] { (void)read(secret.path()); }), HasSubstr("Permission denied"));
  }
}

TEST(Read, NamesFormatsItCannotReadYet) {
  EXPECT_THAT(refusal<DataError>("\x1F\x8B\x08"s), HasSubstr("looks like a gzip file, which cannot be read yet"));
  EXPECT_THAT(refusal<DataError>("\xFD"
                                 "7zXZ\0\0"s),
              HasSubstr("xz"));
  EXPECT_THAT(refusal<DataError>("\x28\xB5\x2F\xFD\0"s), HasSubstr("zstd"));
  EXPECT_THAT(refusal<DataError>("PK\x03\x04\0"s), HasSubstr("zip archive"));
  EXPECT_THAT(refusal<DataError>("\x89HDF\r\n\x1A\n"s), HasSubstr("HDF5"));
  EXPECT_THAT(refusal<DataError>("SQLite format 3\0"s), HasSubstr("SQLite"));
}

TEST(Read, TakesRowNamesFromAnyColumn) {
  const std::string text = "name,x,code\nann,1,007\n12,2,008\n";
  const Dataset by_words = read_text(text, naming("name"));
  EXPECT_THAT(by_words.ids(), ElementsAre("ann", "12"));
  EXPECT_EQ(by_words.n_columns(), 2U);
  const Dataset by_numbers = read_text("x,code\n1,007\n2,008\n", naming("2"));
  EXPECT_THAT(by_numbers.ids(), ElementsAre("007", "008"));  // as written
  EXPECT_EQ(by_numbers.n_columns(), 1U);
  EXPECT_THAT(refusal<DataError>("x,code\n1,a\n2,\n", naming("code")),
              HasSubstr(":3:2: the cell in column 'code' is empty"));
  EXPECT_THAT(refusal<OptionError>(text, naming("age")), HasSubstr("no column 'age'; choose from name, x, code"));
}

TEST(Read, TakesWeightsFromAColumn) {
  const Dataset table = read_text("w,x\n0,1\n2.5,2\n", weighing("w"));
  EXPECT_THAT(table.weights(), ElementsAre(0, 2.5));
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2));
  EXPECT_THAT(refusal<DataError>("w,x\n1,1\n-2,2\n", weighing("w")),
              HasSubstr(":3:1: the weight -2 in column 'w' is negative"));
  EXPECT_THAT(refusal<DataError>("w,x\nbig,1\nbig,2\n", weighing("w")),
              HasSubstr(":2:1: the weight 'big' in column 'w' is not a number"));
}

TEST(Read, TakesWeightsFromAFile) {
  const TemporaryFile csv("weight\n3\n4\n");
  EXPECT_THAT(read_text("a,b\n1,2\n3,4\n", weighing(csv.path())).weights(), ElementsAre(3, 4));
  const TemporaryFile npy(npy::to_bytes(std::vector<std::int32_t>{5, 6}, {2}), ".npy");
  EXPECT_THAT(read_text("a,b\n1,2\n3,4\n", weighing(npy.path())).weights(), ElementsAre(5, 6));
  EXPECT_THAT(read_text(npy_table, weighing(npy.path())).weights(), ElementsAre(5, 6));
  EXPECT_THAT(refusal<DataError>("a,b\n1,2\n", weighing(csv.path())), HasSubstr("2 weights, but"));
  const TemporaryFile wide("1,2\n3,4\n");
  EXPECT_THAT(refusal<DataError>("a,b\n1,2\n3,4\n", weighing(wide.path())), HasSubstr("one column of numbers"));
  const TemporaryFile negative("1\n-1\n");
  EXPECT_THAT(refusal<DataError>("a,b\n1,2\n3,4\n", weighing(negative.path())),
              HasSubstr(negative.path() + ": the weight of row 1 is -1"));
  EXPECT_THAT(refusal<OptionError>("a,b\n1,2\n", weighing("no_such_weights")),
              HasSubstr("'no_such_weights' is neither a column nor a file; the columns are a, b"));
}

TEST(Read, ChoosesColumnsOfTextAndNpy) {
  const Dataset text = read_text("a,b,c\n1,2,u\n3,4,v\n", choosing({"c", "2"}));
  EXPECT_THAT(text.doubles(), ElementsAre(2, 4));
  EXPECT_EQ(text.categories()[0].name, "c");
  const Dataset array = read_text(npy_table, {.columns = {"x3", "1"}, .id = {}, .weights = "2"});
  EXPECT_THAT(array.doubles(), ElementsAre(7, 1, 8, 2));
  EXPECT_THAT(array.weights(), ElementsAre(0.5, 1.5));
  EXPECT_EQ(array.columns()[0].name, "x3");
  EXPECT_THAT(read_text(npy_table, naming("1")).ids(), ElementsAre("1", "2"));
  EXPECT_THAT(refusal<OptionError>(npy_table, choosing({"4"})), HasSubstr("x1, x2, x3"));
}

TEST(Read, RefusesOneColumnInTwoParts) {
  const std::string text = "a,b\n1,2\n";
  EXPECT_THAT(refusal<OptionError>(text, choosing({"a", "1"})), HasSubstr("column 'a' is chosen twice"));
  EXPECT_THAT(refusal<OptionError>(text, {.columns = {"a"}, .id = "a", .weights = {}}),
              HasSubstr("holds the row names"));
  EXPECT_THAT(refusal<OptionError>(text, {.columns = {}, .id = "a", .weights = "a"}), HasSubstr("both"));
}

TEST(Read, RefusesToReturnNothing) {
  EXPECT_THAT(refusal<DataError>("a\n1\n", naming("a")), HasSubstr("no column is left"));
  EXPECT_THAT(refusal<DataError>(npy::to_bytes(std::vector<double>{1}, {1}), weighing("1")),
              HasSubstr("no column is left"));
}

TEST(Read, KeepsATableOfWordsAlone) {
  const Dataset table = read_text("name,colour\na,red\nb,red\n", naming("name"));
  EXPECT_EQ(table.n_columns(), 0U);
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_THAT(table.categories()[0].levels, ElementsAre("red"));
}

}  // namespace
}  // namespace coppice
