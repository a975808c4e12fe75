// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "coppice/data/npy.hpp"
#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A name that no file has yet; the file is gone at the end.
class NewFile : public TemporaryFile {
 public:
  explicit NewFile(std::string_view suffix) : TemporaryFile("", suffix) { std::filesystem::remove(path()); }
  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

std::string written(const Dataset& table, std::string_view suffix) {
  const NewFile file(suffix);
  write_table(table, file.path());
  return file.bytes();
}

Dataset read_back(const Dataset& table, std::string_view suffix, const ReadOptions& options = {}) {
  const NewFile file(suffix);
  write_table(table, file.path());
  return read(file.path(), options);
}

template <class Expected>
std::string refusal(const Dataset& table, std::string_view suffix) {
  const NewFile file(suffix);
  const std::string message = message_of<Expected>([&] { write_table(table, file.path()); });
  EXPECT_FALSE(std::filesystem::exists(file.path()));
  return message;
}

Dataset two_rows() { return Dataset::from_rows(std::vector<double>{1.5, 0, -2, 1e300}, 2, 2); }

Dataset sparse_rows() {
  return Dataset::from_sparse_rows(SparseEntries<double>{{0, 1, 1, 3}, {1, 0, 2}, {0.5, -1, 3}, 4});
}

// Finite doubles of all sizes, some of them zero.
std::vector<double> random_values(std::size_t n) {
  std::mt19937_64 random(5);
  std::vector<double> values;
  while (values.size() < n) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(random() % 3 == 0 ? 0.0 : value);
  }
  return values;
}

TEST(WriteTable, WritesCsvAndTsv) {
  EXPECT_EQ(written(two_rows(), ".csv"), "x1,x2\n1.5,0\n-2,1e+300\n");
  EXPECT_EQ(written(two_rows(), ".tsv"), "x1\tx2\n1.5\t0\n-2\t1e+300\n");
  EXPECT_EQ(written(sparse_rows(), ".csv"), "x1,x2,x3,x4\n0,0.5,0,0\n0,0,0,0\n-1,0,3,0\n");
  EXPECT_EQ(written(Dataset::from_rows(std::vector<float>{0.1F}, 1, 1), ".csv"), "x1\n0.1\n");
}

TEST(WriteTable, KeepsAllThatBelongsToTheRows) {
  const Dataset table = two_rows()
                            .with_names({"width, cm", "#rank"})
                            .with_ids({"a \"b\"", "NA"})
                            .with_weights({0.5, 2})
                            .with_categories({{"colour", {" red", "null"}, {1, 0}}});
  EXPECT_EQ(
      written(table, ".csv"),
      "row,\"width, cm\",\"#rank\",colour,weight\n\"a \"\"b\"\"\",1.5,0,\"null\",0.5\n\"NA\",-2,1e+300,\" red\",2\n");
  for (const char* suffix : {".csv", ".tsv"}) {
    EXPECT_EQ(read_back(table, suffix, {.id = "row", .weights = "weight"}), table) << suffix;
  }
}

TEST(WriteTable, NamesItsOwnColumnsDifferently) {
  const Dataset table = two_rows().with_names({"row", "weight"}).with_ids({"a", "b"}).with_weights({1, 2});
  EXPECT_THAT(written(table, ".csv"), HasSubstr("row_,row,weight,weight_\na,1.5,0,1\n"));
}

TEST(WriteTable, LeavesCellsOfGapsEmpty) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Dataset two = Dataset::from_rows_with_gaps({1, gap, gap, 4}, 2, 2);
  EXPECT_EQ(written(two, ".csv"), "x1,x2\n1,\n,4\n");
  EXPECT_EQ(read_back(two, ".csv", {.keep_missing = true}), two);
  const Dataset one = Dataset::from_rows_with_gaps({1, gap, 3}, 3, 1);  // a row without anything is a row
  EXPECT_EQ(read_back(one, ".csv", {.keep_missing = true}), one);
}

TEST(WriteTable, WritesNpyAsStored) {
  EXPECT_EQ(written(two_rows(), ".npy"), npy::to_bytes(two_rows().doubles(), {2, 2}));
  const Dataset floats = Dataset::from_rows(std::vector<float>{1, 2, 3}, 1, 3);
  EXPECT_EQ(written(floats, ".npy"), npy::to_bytes(floats.floats(), {1, 3}));
  EXPECT_THAT(refusal<OptionError>(sparse_rows(), ".npy"), HasSubstr("3 rows and 4 columns is sparse"));
}

TEST(WriteTable, WritesLibsvm) {
  EXPECT_EQ(written(two_rows(), ".svm"), "0 1:1.5 2:0\n0 1:-2 2:1e+300\n");
  EXPECT_EQ(written(sparse_rows(), ".libsvm"), "0 2:0.5 4:0\n0\n0 1:-1 3:3\n");
  EXPECT_EQ(read_back(sparse_rows(), ".svm"), sparse_rows());
  const Dataset zeros = Dataset::from_rows(std::vector<double>(6, 0.0), 2, 3);
  EXPECT_EQ(read_back(zeros, ".svm").n_columns(), 3U);
  EXPECT_EQ(read_back(zeros, ".svm").n_rows(), 2U);
  EXPECT_TRUE(std::signbit(read_back(Dataset::from_rows(std::vector<double>{-0.0}, 1, 1), ".svm").value(0, 0)));
}

TEST(WriteTable, RefusesWhatTheFormatCannotHold) {
  for (const char* suffix : {".npy", ".svm"}) {
    EXPECT_THAT(refusal<OptionError>(two_rows().with_ids({"a", "b"}), suffix),
                AllOf(HasSubstr(suffix), HasSubstr("the table has row names; write it as .csv")));
    EXPECT_THAT(refusal<OptionError>(two_rows().with_weights({1, 2}), suffix), HasSubstr("has weights"));
    EXPECT_THAT(refusal<OptionError>(two_rows().with_categories({{"c", {"u"}, {0, 0}}}), suffix),
                HasSubstr("has columns of words"));
    EXPECT_THAT(refusal<OptionError>(Dataset::from_rows_with_gaps({1, std::nan("")}, 2, 1), suffix),
                HasSubstr("has missing entries"));
  }
  const Dataset wide = Dataset::from_sparse_rows(
      SparseEntries<double>{std::vector<std::uint64_t>(1001, 0), {}, {}, Dataset::most_sparse_columns});
  EXPECT_THAT(refusal<LimitError>(wide, ".csv"), HasSubstr("too large to be written out in full; write it as .svm"));
}

TEST(WriteTable, RefusesUnknownEndings) {
  for (const char* suffix : {".xlsx", "", ".CSVX", ".csv.gz"}) {
    EXPECT_THAT(refusal<OptionError>(two_rows(), suffix), HasSubstr("choose from .csv, .tsv, .npy, .svm, .libsvm"));
  }
  EXPECT_THAT(message_of<OptionError>([] { check_table_path("a.txt"); }), HasSubstr("a.txt: its ending '.txt'"));
  check_table_path("a.b.npy");
}

TEST(WriteTable, LeavesTheOldFileWhereTheNewOneFails) {
  const TemporaryFile file("old", ".npy");
  EXPECT_THROW(write_table(sparse_rows(), file.path()), OptionError);
  std::ifstream in(file.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "old");
  EXPECT_THROW(write_table(two_rows(), "/no/such/folder/a.csv"), IoError);
}

TEST(WriteTable, ComesBackBitForBitThroughAllFormats) {
  const std::vector<double> values = random_values(60000);
  const Dataset table = Dataset::from_rows(values, 6000, 10);
  const Dataset from_csv = read_back(table, ".csv");
  const Dataset from_npy = read_back(from_csv, ".npy");
  const Dataset from_svm = read_back(from_npy, ".svm");
  ASSERT_TRUE(from_svm.is_sparse());
  const Dataset back = read_back(from_svm, ".csv");
  ASSERT_EQ(back.doubles().size(), values.size());
  EXPECT_EQ(std::memcmp(back.doubles().data(), values.data(), values.size() * sizeof(double)), 0);
  EXPECT_EQ(back, table);
}

TEST(WriteCsv, HandsOnPieces) {
  const Dataset table = Dataset::from_rows(random_values(200000), 100000, 2);
  std::string text;
  std::size_t n_pieces = 0;
  write_csv(table, [&](std::string_view piece) {
    EXPECT_LT(piece.size(), 2U << 20U);
    text += piece;
    ++n_pieces;
  });
  EXPECT_GT(n_pieces, 1U);
  EXPECT_EQ(text, written(table, ".csv"));
}

}  // namespace
}  // namespace coppice
