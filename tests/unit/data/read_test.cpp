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

TEST(Read, NamesFormatsItDoesNotRead) {
  EXPECT_THAT(refusal<DataError>("PAR1\x15\x04"s), HasSubstr("looks like a Parquet file, which coppice does not read"));
  EXPECT_THAT(refusal<DataError>("\xD0\xCF\x11\xE0\xA1"s), HasSubstr("an old Excel file"));
  EXPECT_THAT(refusal<DataError>("ARROW1\0\0"s), HasSubstr("an Arrow file"));
  EXPECT_THAT(refusal<DataError>("RDX3\nX\n"s), HasSubstr("an R data file"));
  const std::string name_and_size(257, 'a');
  EXPECT_THAT(refusal<DataError>(name_and_size + "ustar\0"s),
              HasSubstr("a tar archive, which coppice does not read; unpack"));
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
              HasSubstr(negative.path() + ": the weight of row 2 (counted from 1) is -1"));
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

TEST(Read, TakesAFileWhateverColonsItsNameHas) {
  const std::filesystem::path folder = testing::TempDir() + "coppice_read_" + std::to_string(::getpid()) + ":";
  std::filesystem::create_directory(folder);
  const std::string path = folder / "a:b.csv";
  std::ofstream(path) << "a\n1\n";
  EXPECT_THAT(read(path).doubles(), ElementsAre(1));
  EXPECT_THAT(message_of<OptionError>([&] { (void)read(path + ":/x"); }),
              HasSubstr("a:b.csv: has no part '/x': it is a text table, and only HDF5 and NPZ files"));
  EXPECT_THAT(message_of<IoError>([&] { (void)read((folder / "b.csv:/x").string()); }), HasSubstr("b.csv:/x: No such"));
  std::filesystem::remove_all(folder);
}

TEST(Read, RefusesAPartOrAQueryWhereThereIsNone) {
  const TemporaryFile npy(npy_table, ".npy");
  EXPECT_THAT(message_of<OptionError>([&] { (void)read(npy.path() + ":/x"); }), HasSubstr("it is an NPY file"));
  EXPECT_THAT(refusal<OptionError>(npy_table, {.query = "SELECT 1"}), HasSubstr("but this is an NPY file"));
  EXPECT_THAT(refusal<OptionError>("a\n1\n", {.query = "SELECT 1"}), HasSubstr("but this is a text table"));
}

TEST(Read, TakesKindsOfArrayColumns) {
  const Dataset table = read_text(npy_table, {.types = {{"x1", ColumnKind::real}, {"3", ColumnKind::category}}});
  EXPECT_EQ(table.n_columns(), 2U);
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::real);  // guessed: a count
  EXPECT_THAT(table.doubles(), ElementsAre(1, 0.5, 2, 1.5));
  ASSERT_EQ(table.categories().size(), 1U);
  EXPECT_EQ(table.categories()[0].name, "x3");
  EXPECT_THAT(table.categories()[0].levels, ElementsAre("7", "8"));
  EXPECT_THAT(refusal<DataError>(npy_table, {.types = {{"2", ColumnKind::count}}}),
              HasSubstr(".csv: row 1 (counted from 1): the value 0.5 in column 'x2' is not a whole number"));
  EXPECT_THAT(refusal<OptionError>(npy_table, {.types = {{"x9", ColumnKind::count}}}), HasSubstr("no column 'x9'"));
  const Dataset words = read_text(npy_table, {.columns = {"1"}, .types = {{"1", ColumnKind::category}}});
  EXPECT_EQ(words.n_columns(), 0U);
  EXPECT_EQ(words.n_rows(), 2U);
}

TEST(Read, ReadsTheFirstRowsWithTheirWeights) {
  EXPECT_THAT(read_text(npy_table, {.max_rows = 1}).doubles(), ElementsAre(1, 0.5, 7));
  const TemporaryFile weights("5\n6\n");
  EXPECT_THAT(read_text(npy_table, {.weights = weights.path(), .max_rows = 1}).weights(), ElementsAre(5));
  EXPECT_THAT(refusal<OptionError>(npy_table, {.max_rows = 0}), HasSubstr("at most 0 rows"));
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
