// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/label_column.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LabelColumn labels_of(std::string_view text, const std::string& id = "row") {
  return read_label_column(TemporaryFile(text).path(), id);
}

TEST(LabelColumn, KnowsIdsAndWords) {
  const LabelColumn labels = labels_of("id,label\nb,Gentoo\na,Adelie\nc,Gentoo\n");
  EXPECT_THAT(labels.labels, ElementsAre(0, 1, 0));
  EXPECT_THAT(labels.ids, ElementsAre("b", "a", "c"));
  EXPECT_EQ(labels.name_of(0), "Gentoo");
  EXPECT_EQ(labels.name_of(1), "Adelie");
}

TEST(LabelColumn, NumbersAreTheirOwnNames) {
  const LabelColumn labels = labels_of("row,label\n0,-1\n1,7\n");
  EXPECT_EQ(labels.name_of(-1), "-1");
  EXPECT_THAT(labels.words, IsEmpty());
}

TEST(LabelColumn, BesidesIdsTheOnlyColumnIsTheLabels) {
  const LabelColumn labels = labels_of("species,id\nGentoo,P1\nAdelie,P2\n");
  EXPECT_THAT(labels.words, ElementsAre("Gentoo", "Adelie"));
  EXPECT_THAT(labels.ids, ElementsAre("P1", "P2"));
  EXPECT_THAT(labels_of("customer,group\nx,1\ny,2\n", "customer").ids, ElementsAre("x", "y"));
}

TEST(LabelColumn, WithoutSuchAColumnThereAreNoIds) {
  EXPECT_THAT(labels_of("label,probability\n1,0.5\n0,0.6\n").ids, IsEmpty());
  EXPECT_THAT(labels_of("3\n1\n2\n").ids, IsEmpty());
  EXPECT_THAT(labels_of("id\n1\n2\n").labels, ElementsAre(1, 2)) << "an only column is the labels";
}

TEST(LabelColumn, AnEmptyIdIsRefusedAtItsPlace) {
  EXPECT_THAT(message_of<DataError>([] { (void)labels_of("id,label\na,1\n,0\n"); }), HasSubstr(".csv:3:1: "));
}

TEST(LabelColumn, RowNumbersPutRowsInOrder) {
  EXPECT_THAT(labels_of("row,label\n2,20\n0,0\n1,10\n").labels, ElementsAre(0, 10, 20));
  EXPECT_THAT(labels_of("row,label\n2,20\n0,0\n3,10\n").labels, ElementsAre(20, 0, 10)) << "1 is missing";
  EXPECT_THAT(labels_of("row,label\n0,20\n0,0\n1,10\n").labels, ElementsAre(20, 0, 10)) << "0 is there twice";
}

TEST(MatchRows, ByIdInAnyOrder) {
  LabelColumn labels = labels_of("id,label\nb,1\na,0\nc,2\n");
  EXPECT_EQ(match_rows(labels, {"a", "b", "c"}, 3, "x.csv"), Matching::by_id);
  EXPECT_THAT(labels.labels, ElementsAre(0, 1, 2));
}

TEST(MatchRows, AnIdThatIsMissingIsNamed) {
  LabelColumn labels = labels_of("id,label\nb,1\na,0\n");
  const std::vector<std::string> more{"a", "b", "c"};
  EXPECT_THAT(message_of<DataError>([&] { match_rows(labels, more, 3, "x.csv"); }),
              testing::AllOf(HasSubstr("'c'"), HasSubstr("x.csv")));
  const std::vector<std::string> others{"a", "z"};
  EXPECT_THAT(message_of<DataError>([&] { match_rows(labels, others, 2, "x.csv"); }), HasSubstr("'z'"));
  const std::vector<std::string> fewer{"a"};
  EXPECT_THAT(message_of<DataError>([&] { match_rows(labels, fewer, 1, "x.csv"); }), HasSubstr("'b'"));
}

TEST(MatchRows, AnIdThatComesTwiceIsNamed) {
  LabelColumn labels = labels_of("id,label\na,1\na,0\n");
  const std::vector<std::string> ids{"a", "b"};
  EXPECT_THAT(message_of<DataError>([&] { match_rows(labels, ids, 2, "x.csv"); }), HasSubstr("'a'"));
  LabelColumn other = labels_of("id,label\na,1\nb,0\n");
  const std::vector<std::string> twice{"b", "b"};
  EXPECT_THAT(message_of<DataError>([&] { match_rows(other, twice, 2, "x.csv"); }),
              testing::AllOf(HasSubstr("'b'"), HasSubstr("x.csv")));
}

TEST(MatchRows, MoreThanAFewIdsAreCounted) {
  LabelColumn labels = labels_of("id,label\na,1\nb,0\nc,0\nd,0\ne,1\n");
  EXPECT_THAT(message_of<DataError>([&] {
                match_rows(labels, {"p", "q", "r", "s", "a"}, 5, "x.csv");
              }),
              HasSubstr("'p', 'q', 'r' and 1 more"));
}

TEST(MatchRows, IfOnlyOneHasIdsByPosition) {
  LabelColumn named = labels_of("id,label\nb,1\na,0\n");
  EXPECT_EQ(match_rows(named, {}, 2, "x.csv"), Matching::ids_unused);
  EXPECT_THAT(named.labels, ElementsAre(1, 0));
  LabelColumn plain = labels_of("1\n0\n");
  EXPECT_EQ(match_rows(plain, {"b", "a"}, 2, "x.csv"), Matching::ids_unused);
}

TEST(MatchRows, RowNumbersSayNoMoreThanTheOrder) {
  LabelColumn numbered = labels_of("row,label\n0,1\n1,0\n");
  EXPECT_EQ(match_rows(numbered, {}, 2, "x.csv"), Matching::by_position);
  EXPECT_EQ(match_rows(numbered, {"P1", "P2"}, 2, "x.csv"), Matching::ids_unused) << "names, not other numbers";
  EXPECT_THAT(numbered.labels, ElementsAre(1, 0));
  // Numbers from 1 on the other side: one row is missing on either side, and that is no accident.
  EXPECT_THAT(message_of<DataError>([&] { match_rows(numbered, {"1", "2"}, 2, "x.csv"); }), HasSubstr("'2'"));
}

TEST(MatchRows, TheCountsMustAgree) {
  LabelColumn labels = labels_of("1\n0\n");
  EXPECT_THAT(message_of<DataError>([&] { match_rows(labels, {}, 3, "x.csv"); }),
              testing::AllOf(HasSubstr("2 labels"), HasSubstr("3 rows")));
}

}  // namespace
}  // namespace coppice::internal
