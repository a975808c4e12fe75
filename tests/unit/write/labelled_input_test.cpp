// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labelled_input.hpp"

#include <gtest/gtest.h>

#include "coppice/data/npy.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

const std::vector<std::int32_t> labels = {1, 0, 1};
const std::vector<double> probabilities = {1.0, 0.123456789, 1e-12};

Dataset three_rows() { return Dataset::from_rows(std::vector<double>{0.1, -2.0, 1e300, 3.0, 1.0 / 3.0, 4.0}, 3, 2); }

std::string of_rows(const LabelledRows& rows, const TableSource& source = {.path = "-"}) {
  std::string text;
  write_labelled_rows(source, rows, [&](std::string_view piece) { text += piece; });
  return text;
}

// Of a file with three rows, whatever of it was read before.
std::string of_file(const std::string& path, const ReadOptions& options = {}) {
  std::string text;
  const Dataset data = three_rows();
  write_labelled_input({path, options}, {data, labels}, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(LabelledRows, HaveTheLabelBehindTheColumns) {
  EXPECT_EQ(of_rows({three_rows(), labels}), "x1,x2,label\n0.1,-2,1\n1e+300,3,0\n0.3333333333333333,4,1\n");
  const Dataset named = three_rows().with_ids({"plain", "a,b", "say \"no\""}).with_names({"width, cm", "height"});
  EXPECT_EQ(of_rows({named, labels, probabilities}),
            "row,\"width, cm\",height,label,probability\nplain,0.1,-2,1,1\n\"a,b\",1e+300,3,0,0.123457\n"
            "\"say \"\"no\"\"\",0.3333333333333333,4,1,1e-12\n");
}

TEST(LabelledRows, AreReadBackBitForBit) {
  const Dataset data = three_rows();
  const TemporaryFile file(of_rows({data, labels}));
  const Dataset back = read(file.path());
  ASSERT_EQ(back.n_columns(), 3U);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(back.value(row, c), data.value(row, c));
    EXPECT_EQ(back.value(row, 2), labels[row]);
  }
}

TEST(LabelledRows, FloatsAreAsShortAsTheyCanBe) {
  const Dataset data = Dataset::from_rows(std::vector<float>{0.1F, 16777216.0F}, 2, 1);
  EXPECT_EQ(of_rows({data, std::vector<std::int32_t>{0, 0}}), "x1,label\n0.1,0\n16777216,0\n");
}

TEST(LabelledRows, IdsHaveTheNameThatWasAskedFor) {
  const Dataset data = three_rows().with_ids({"a", "b", "c"});
  ReadOptions options;
  options.id = "customer";
  EXPECT_TRUE(of_rows({data, labels}, {"-", options}).starts_with("customer,x1,x2,label\n"));
  options.id = "1";  // where it stands, not what it is called
  EXPECT_TRUE(of_rows({data, labels}, {"-", options}).starts_with("row,x1,x2,label\n"));
}

TEST(LabelledRows, NoNameComesTwice) {
  const Dataset data = three_rows().with_names({"label", "label_"});
  EXPECT_TRUE(of_rows({data, labels}).starts_with("label,label_,label__\n"));
}

TEST(LabelledInput, TextIsLeftAsItIs) {
  const TemporaryFile file("id,a,word,b\n007,1.50,\"x, y\",NA\n 8 ,+2,\"NA\",\n9,1e3,say \"no\",-0\n");
  EXPECT_EQ(of_file(file.path(), {.columns = {"a"}, .id = "id"}),
            "id,a,word,b,label\n007,1.50,\"x, y\",NA,1\n8,+2,\"NA\",,0\n9,1e3,\"say \"\"no\"\"\",-0,1\n");
}

TEST(LabelledInput, OtherSeparatorsBecomeCommas) {
  const TemporaryFile file("a;b\n1,5;x\n2,5;y\n3;\"z;\"\n");
  EXPECT_EQ(of_file(file.path()), "a,b,label\n\"1,5\",x,1\n\"2,5\",y,0\n3,z;,1\n");
}

TEST(LabelledInput, ColumnsWithoutNamesGetSome) {
  const TemporaryFile file("# made by hand\n1 2\n\n3 4\n5 6\n");
  EXPECT_EQ(of_file(file.path()), "x1,x2,label\n1,2,1\n3,4,0\n5,6,1\n");
}

TEST(LabelledInput, ArraysComeWithAllColumns) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6.5};
  const TemporaryFile file(npy::to_bytes(std::span<const double>(values), {3, 2}), ".npy");
  EXPECT_EQ(of_file(file.path(), {.columns = {"2"}}), "x1,x2,label\n1,2,1\n3,4,0\n5,6.5,1\n");
}

TEST(LabelledInput, OtherRowsThanBeforeAreRefused) {
  for (const char* text : {"a\n1\n2\n", "a\n1\n2\n3\n4\n", ""}) {
    const TemporaryFile file(text);
    EXPECT_NE(message_of<DataError>([&] { (void)of_file(file.path()); }), "");
  }
  EXPECT_NE(message_of<DataError>([] { (void)of_file("/no/such/file.csv"); }), "");
}

TEST(LabelledInput, OnlyTheFirstRowsIfOnlyTheyWereRead) {
  const TemporaryFile file("a\n1\n2\n3\n4\n");
  ReadOptions options;
  options.max_rows = 3;
  EXPECT_EQ(of_file(file.path(), options), "a,label\n1,1\n2,0\n3,1\n");
}

}  // namespace
}  // namespace coppice::internal
