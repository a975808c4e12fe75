// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "coppice/data/npy.hpp"
#include "coppice/data/read.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

const std::vector<std::int32_t> labels = {1, 0, 1};
const std::vector<double> probabilities = {1.0, 0.123456789, 1e-12};

Dataset three_rows() { return Dataset::from_rows(std::vector<double>{0.1, -2.0, 1e300, 3.0, 1.0 / 3.0, 4.0}, 3, 2); }

std::string labels_csv(const LabelledRows& rows, char separator = ',') {
  std::string text;
  write_labels_csv(rows, separator, [&](std::string_view piece) { text += piece; });
  return text;
}

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

TEST(LabelsCsv, ComesInPiecesWhereThereIsMuch) {
  constexpr std::size_t n_rows = 300'000;
  const Dataset data = Dataset::from_rows(std::vector<float>(n_rows, 0.0F), n_rows, 1);
  const std::vector<std::int32_t> many(n_rows, 7);
  std::string expected = "row,label\n";
  for (std::size_t row = 0; row < n_rows; ++row) expected += std::to_string(row) + ",7\n";
  std::string text;
  std::size_t longest = 0;
  write_labels_csv({data, many}, ',', [&](std::string_view piece) {
    text += piece;
    longest = std::max(longest, piece.size());
  });
  EXPECT_TRUE(text == expected);
  EXPECT_LT(longest, text.size() / 2);
}

TEST(LabelsNpy, Holds32BitIntegers) {
  const std::string bytes = labels_npy({three_rows(), labels, probabilities});
  EXPECT_TRUE(npy::looks_like_npy(bytes));
  EXPECT_NE(bytes.find("'<i4'"), std::string::npos);
  EXPECT_NE(bytes.find("(3,)"), std::string::npos);
  const TemporaryFile file(bytes, ".npy");
  EXPECT_EQ(read_labels(file.path()), labels);
}

TEST(LabelsCsv, HasTabsIfAsked) {
  const Dataset data = three_rows().with_ids({"a,b", "c\td", "e"});
  EXPECT_EQ(labels_csv({data, labels}, '\t'), "row\tlabel\na,b\t1\n\"c\td\"\t0\ne\t1\n");
}

}  // namespace
}  // namespace coppice::internal
