// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/match_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/data/row_numbers.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<Column> abc{{"a"}, {"B"}, {"c"}};

Dataset table(const std::vector<std::string>& names) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 2 * names.size(); ++i) values.push_back(static_cast<double>(i + 1));
  return Dataset::from_rows(std::move(values), 2, names.size()).with_names(names);
}

std::string refusal(const Dataset& data, const std::vector<Column>& wanted) {
  try {
    (void)match_columns(data, wanted);
  } catch (const DataError& error) {
    return error.what();
  }
  return {};
}

TEST(MatchColumns, GoesByNameInAnyOrder) {
  const MatchedColumns matched = match_columns(table({"c", "x", "a", "B"}), abc);
  EXPECT_EQ(matched.by, MatchedBy::name);
  EXPECT_THAT(matched.data.doubles(), ElementsAre(3, 4, 1, 7, 8, 5));
}

TEST(MatchColumns, ForgivesUpperAndLowerCaseWhereOneColumnIsMeant) {
  EXPECT_THAT(match_columns(table({"C", "b", "A"}), abc).data.doubles(), ElementsAre(3, 2, 1, 6, 5, 4));
  EXPECT_THAT(match_columns(table({"A", "a", "B", "c"}), abc).data.doubles(), ElementsAre(2, 3, 4, 6, 7, 8));
  EXPECT_THAT(refusal(table({"a", "B", "C", "c2"}), {{"a"}, {"B"}, {"c"}, {"C"}}), HasSubstr("'c'"))
      << "the very name has the column";
  // Neither of two columns is the one that is meant.
  const Dataset twice = Dataset::from_rows(std::vector<double>{1, 2, 3, 4}, 1, 4).with_names({"a", "b", "C", "c"});
  EXPECT_THAT(match_columns(twice, abc).data.doubles(), ElementsAre(1, 2, 4));
  const Dataset vague = Dataset::from_rows(std::vector<double>{1, 2, 3, 4}, 1, 4).with_names({"A", "b", "cC", "Cc"});
  EXPECT_THAT(refusal(vague, {{"a"}, {"b"}, {"cc"}}), HasSubstr("'cc'"));
}

TEST(MatchColumns, SaysWhatIsMissingAndWhatIsThere) {
  EXPECT_THAT(refusal(table({"a", "d", "e"}), abc),
              AllOf(HasSubstr("'B', 'c'"), HasSubstr("a, d, e"), HasSubstr("by_position"), Not(HasSubstr("'a'"))));
  EXPECT_THAT(refusal(table({"a", "d"}), abc), AllOf(HasSubstr("3 columns"), HasSubstr("as many with columns")));
  const Dataset words = table({"a", "B"}).with_categories({{"c", {"red"}, {0, 0}}});
  EXPECT_THAT(refusal(words, abc), AllOf(HasSubstr("'c'"), HasSubstr("'red'")));
}

TEST(MatchColumns, GoesByPositionWhereOneSideHasNoNames) {
  const Dataset bare = Dataset::from_rows(std::vector<double>{1, 2, 3}, 1, 3);
  ASSERT_FALSE(have_names(bare.columns()));
  const MatchedColumns matched = match_columns(bare, abc);
  EXPECT_EQ(matched.by, MatchedBy::position);
  EXPECT_EQ(matched.data.columns()[1].name, "B");
  EXPECT_EQ(match_columns(table({"u", "v", "w"}), bare.columns()).by, MatchedBy::position);
  EXPECT_THAT(refusal(Dataset::from_rows(std::vector<double>{1, 2}, 1, 2), abc), HasSubstr("x1, x2"));
  // Names that look made up, and are not.
  EXPECT_THAT(refusal(table({"x2", "x3", "x4"}), table({"x1", "x2", "x3"}).columns()), HasSubstr("'x1'"));
}

TEST(MatchColumns, WidensSparseRows) {
  const Dataset narrow = Dataset::from_sparse_rows(SparseEntries<double>{{0, 1}, {1}, {5.0}, 2});
  const Dataset wide = Dataset::from_sparse_rows(SparseEntries<double>{{0, 1}, {3}, {5.0}, 4});
  EXPECT_EQ(match_columns(narrow, wide.columns()).data.n_columns(), 4U);
}

TEST(ColumnsByPosition, TakesAsManyWhateverTheyAreCalled) {
  const Dataset renamed = columns_by_position(table({"c", "B", "a"}), abc);
  EXPECT_THAT(renamed.doubles(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(renamed.columns()[0].name, "a");
  EXPECT_THROW((void)columns_by_position(table({"a", "b"}), abc), DataError);
  EXPECT_THROW((void)columns_by_position(table({"a", "b", "c"}).with_categories({{"d", {"red"}, {0, 0}}}), abc),
               DataError);
}

Dataset counted(std::size_t n_rows, double first, const std::vector<std::string>& names,
                const std::vector<bool>& are_made_up = {}) {
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    values.push_back(first + static_cast<double>(row));
    values.push_back(0.5);
  }
  return Dataset::from_rows(std::move(values), n_rows, 2).with_names(names, are_made_up);
}

TEST(RowNumberColumns, AreThoseThatNameOrCountTheRows) {
  for (const char* name : {"id", "ID", "index", "Unnamed: 0", "customer_id", "userId", "row"}) {
    EXPECT_THAT(row_number_columns(counted(12, 0, {name, "a"})), ElementsAre(0U)) << name;
    EXPECT_THAT(row_number_columns(counted(12, 1000, {name, "a"})), ElementsAre(0U)) << name;
    EXPECT_THAT(row_number_columns(counted(4, 1, {name, "a"})), ElementsAre(0U)) << name;
    EXPECT_THAT(row_number_columns(counted(4, 1000, {name, "a"})), ElementsAre()) << "by chance";
  }
  for (const char* name : {"age", "paid", "grid", "VALID", "indexed"}) {
    EXPECT_THAT(row_number_columns(counted(12, 0, {name, "a"})), ElementsAre()) << name;
  }
  EXPECT_THAT(row_number_columns(counted(12, 0, {"x1", "a"}, {true, false})), ElementsAre(0U));
  EXPECT_THAT(row_number_columns(counted(12, 0, {"x1", "x2"}, {true, true})), ElementsAre(0U));
  EXPECT_THAT(row_number_columns(counted(12, 5, {"x1", "x2"}, {true, true})), ElementsAre());
}

}  // namespace
}  // namespace coppice::internal
