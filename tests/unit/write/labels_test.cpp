// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include <gtest/gtest.h>

#include "coppice/data/npy.hpp"
#include "coppice/data/read.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

const std::vector<std::int32_t> labels = {1, 0, 1};
const std::vector<double> probabilities = {1.0, 0.123456789, 1e-12};

Dataset three_rows() { return Dataset::from_rows(std::vector<double>{0.1, -2.0, 1e300, 3.0, 1.0 / 3.0, 4.0}, 3, 2); }

// Names that have to survive a file.
std::vector<std::string> awkward_names() { return {"plain", "a,b", "say \"no\""}; }

TEST(CsvField, QuotesWhatMustBeQuoted) {
  EXPECT_EQ(text_field("plain", ','), "plain");
  EXPECT_EQ(text_field("", ','), "");
  EXPECT_EQ(text_field("a,b", ','), "\"a,b\"");
  EXPECT_EQ(text_field("say \"no\"", ','), "\"say \"\"no\"\"\"");
  EXPECT_EQ(text_field("\"", ','), "\"\"\"\"");
  EXPECT_EQ(text_field("two\nlines", ','), "\"two\nlines\"");
  EXPECT_EQ(text_field("old\rline", ','), "\"old\rline\"");
}

TEST(LabelsCsv, NumbersTheRowsFromZero) {
  EXPECT_EQ(labels_csv({three_rows(), labels}), "row,label\n0,1\n1,0\n2,1\n");
  EXPECT_EQ(labels_csv({three_rows(), labels, probabilities}),
            "row,label,probability\n0,1,1\n1,0,0.123457\n2,1,1e-12\n");
}

TEST(LabelsCsv, NamesTheRows) {
  const Dataset data = three_rows().with_ids(awkward_names());
  EXPECT_EQ(labels_csv({data, labels}), "row,label\nplain,1\n\"a,b\",0\n\"say \"\"no\"\"\",1\n");
}

TEST(LabelsCsv, IsReadBack) {
  const Dataset data = three_rows().with_ids(awkward_names());
  for (const bool is_named : {false, true}) {
    const TemporaryFile file(labels_csv({is_named ? data : three_rows(), labels, probabilities}));
    EXPECT_EQ(read_labels(file.path()), labels);
  }
  const TemporaryFile file(labels_csv({data, labels}));
  EXPECT_EQ(read(file.path(), {.columns = {}, .id = "row", .weights = {}}).ids(), awkward_names());
}

TEST(LabelsCsv, OfNoRowsIsAHeader) { EXPECT_EQ(labels_csv({Dataset{}, {}}), "row,label\n"); }

TEST(LabelsNpy, Holds32BitIntegers) {
  const std::string bytes = labels_npy({three_rows(), labels, probabilities});
  EXPECT_TRUE(npy::looks_like_npy(bytes));
  EXPECT_NE(bytes.find("'<i4'"), std::string::npos);
  EXPECT_NE(bytes.find("(3,)"), std::string::npos);
  const TemporaryFile file(bytes, ".npy");
  EXPECT_EQ(read_labels(file.path()), labels);
}

TEST(LabelsTable, PutsTheLabelBehindTheColumns) {
  EXPECT_EQ(labels_table({three_rows(), labels}), "x1,x2,label\n0.1,-2,1\n1e+300,3,0\n0.3333333333333333,4,1\n");
  const Dataset named = three_rows().with_ids(awkward_names()).with_names({"width, cm", "height"});
  EXPECT_EQ(labels_table({named, labels, probabilities}),
            "row,\"width, cm\",height,label,probability\nplain,0.1,-2,1,1\n\"a,b\",1e+300,3,0,0.123457\n"
            "\"say \"\"no\"\"\",0.3333333333333333,4,1,1e-12\n");
}

TEST(LabelsTable, IsReadBackBitForBit) {
  const Dataset data = three_rows();
  const TemporaryFile file(labels_table({data, labels}));
  const Dataset back = read(file.path());
  ASSERT_EQ(back.n_columns(), 3U);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(back.value(row, c), data.value(row, c));
    EXPECT_EQ(back.value(row, 2), labels[row]);
  }
}

TEST(LabelsTable, WritesFloatsAsShortAsTheyAre) {
  const Dataset data = Dataset::from_rows(std::vector<float>{0.1F, 16777216.0F}, 2, 1);
  EXPECT_EQ(labels_table({data, std::vector<std::int32_t>{0, 0}}), "x1,label\n0.1,0\n16777216,0\n");
}

}  // namespace
}  // namespace coppice
