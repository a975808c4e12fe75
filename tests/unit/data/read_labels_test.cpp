// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/data/npy.hpp"
#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::int32_t> labels_in(const std::string& bytes) { return read_labels(TemporaryFile(bytes).path()); }

std::string refusal(const std::string& bytes) {
  return message_of<DataError>([&] { (void)labels_in(bytes); });
}

TEST(ReadLabels, ReadsTheProgramsOwnFile) {
  EXPECT_THAT(labels_in("row,label,probability\n0,2,0.9\n1,0,1\n2,2,0.5\n"), ElementsAre(2, 0, 2));
  EXPECT_THAT(labels_in("row,label\n0,-1\n1,5\n"), ElementsAre(-1, 5));
}

TEST(ReadLabels, LooksOnlyAtTheLabelColumn) {
  EXPECT_THAT(labels_in("row,label,probability\na,2,NA\n7,0,\n,1,x\n"), ElementsAre(2, 0, 1));
}

TEST(ReadLabels, ReadsASingleColumnWithAndWithoutHeader) {
  EXPECT_THAT(labels_in("3\n1\n3\n"), ElementsAre(3, 1, 3));
  EXPECT_THAT(labels_in("truth\n3\n1\n3\n"), ElementsAre(3, 1, 3));
  EXPECT_THAT(labels_in("2.0\n4e0\n"), ElementsAre(2, 4));
}

TEST(ReadLabels, NumbersWordsByFirstAppearance) {
  EXPECT_THAT(labels_in("species\nvirginica\nsetosa\nvirginica\n"), ElementsAre(0, 1, 0));
  EXPECT_THAT(labels_in("row,label\n0,b\n1,a\n2,b\n"), ElementsAre(0, 1, 0));
}

TEST(ReadLabels, TakesAFirstWordThatComesAgainAsALabel) {
  EXPECT_THAT(labels_in("virginica\nsetosa\nvirginica\n"), ElementsAre(0, 1, 0));
  EXPECT_THAT(labels_in("New York\nLos Angeles\nNew York\n"), ElementsAre(0, 1, 0));
}

TEST(ReadLabels, ReadsLabelsOfSeveralWords) {
  EXPECT_THAT(labels_in("city\nNew York\nBerlin\nNew York\n"), ElementsAre(0, 1, 0));
  EXPECT_THAT(labels_in("Group 1\nGroup 2\nGroup 1\n"), ElementsAre(0, 1, 0));
}

TEST(ReadLabels, ReadsNpyIntegers) {
  EXPECT_THAT(labels_in(npy::to_bytes(std::vector<std::int32_t>{4, -1, 0}, {3})), ElementsAre(4, -1, 0));
  EXPECT_THAT(labels_in(npy::to_bytes(std::vector<std::int32_t>{4, 5}, {2, 1})), ElementsAre(4, 5));
  EXPECT_THAT(refusal(npy::to_bytes(std::vector<std::int32_t>{4, 5}, {1, 2})), HasSubstr("2 columns"));
}

TEST(ReadLabels, RefusesNumbersThatAreNotWholeOrTooLarge) {
  EXPECT_THAT(refusal("label\n1\n2.5\n"), HasSubstr(":3:1: the label is 2.5, expected a whole number"));
  EXPECT_THAT(refusal("# by hand\nrow,label\n\"a\nb\",1\n\nc,0.5\n"), HasSubstr(".csv:6:2: the label is 0.5"));
  EXPECT_THAT(refusal("1\n2147483648\n"),
              HasSubstr(":2:1: the label is 2147483648, expected a whole number from -2147483648 to 2147483647"));
  EXPECT_THAT(refusal(npy::to_bytes(std::vector<double>{0.5}, {1})),
              HasSubstr(": row 1 (counted from 1): the label is 0.5"));
  EXPECT_THAT(labels_in("2147483647\n-2147483648\n"), ElementsAre(2147483647, -2147483647 - 1));
}

TEST(ReadLabels, RefusesMixedLabelsAtTheirPlace) {
  EXPECT_THAT(refusal("label\n1\n2\nnoise\n"), HasSubstr(":4:1: 'noise'"));
  EXPECT_THAT(refusal("label\n1\nNA\n"), HasSubstr(":3:1: 'NA'"));
}

TEST(ReadLabels, RefusesSeveralColumnsWithoutALabel) {
  EXPECT_THAT(refusal("size,cluster\n0,1\n"), HasSubstr("2 columns (size, cluster) and none is called 'label'"));
  EXPECT_THAT(refusal("1,2\n"), HasSubstr("none is called 'label'"));
}

TEST(ReadLabels, RefusesFilesThatAreNotThere) {
  EXPECT_THROW((void)read_labels(testing::TempDir() + "no_such_labels.csv"), IoError);
}

}  // namespace
}  // namespace coppice
