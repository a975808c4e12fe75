// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/word_advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/yes_no.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WordAdvice, KnowsNumbersInDisguise) {
  for (const char* money : {"$5", "-$5.50", "$-5", "($5)", "US$ 7", "5€", "1.234,56 €", "CHF 1'000"}) {
    EXPECT_THAT(std::string(advice_on_disguised_number(money)), HasSubstr("money")) << money;
  }
  for (const char* date : {"2024-1-5", "05/06/24", "5.6.2024", "2024/01/05 12:00"}) {
    EXPECT_THAT(std::string(advice_on_disguised_number(date)), HasSubstr("date")) << date;
  }
  EXPECT_THAT(std::string(advice_on_disguised_number(" 12 % ")), HasSubstr("percentage"));
  EXPECT_THAT(std::string(advice_on_disguised_number("9:05 pm")), HasSubstr("time"));
}

TEST(WordAdvice, LeavesWordsAlone) {
  for (const char* word : {"red", "", "-", "A1", "v1.2-rc3", "3-4", "2024-13-1x", "$", "%", "room 5 left", "none"}) {
    EXPECT_THAT(advice_on_disguised_number(word), IsEmpty()) << word;
  }
  EXPECT_THAT(advice_among_numbers("red"), IsEmpty());
  EXPECT_THAT(std::string(advice_among_numbers("none")), HasSubstr("missing"));
  EXPECT_THAT(std::string(advice_among_numbers("#NAME?")), HasSubstr("spreadsheet"));
}

TEST(YesNo, AreOnePairOrTheOther) {
  EXPECT_TRUE(is_yes_no({"a", {"NO", "yes"}, {}}));
  EXPECT_TRUE(is_yes_no({"a", {"F", "T", "true"}, {}}));
  EXPECT_TRUE(is_yes_no({"a", {"n"}, {}}));
  EXPECT_FALSE(is_yes_no({"a", {"no", "true"}, {}}));
  EXPECT_FALSE(is_yes_no({"a", {"no", "perhaps"}, {}}));
  EXPECT_FALSE(is_yes_no({"a", {}, {}}));
}

TEST(ReadYesNo, KeepsIdsWeightsGapsAndOtherWords) {
  const TemporaryFile file("name,w,ok,x,colour\na,1,yes,,red\nb,2,no,5,blue\n");
  const Dataset table = read(file.path(), {.id = "name", .weights = "w", .keep_missing = true});
  ASSERT_EQ(table.n_columns(), 2U);
  EXPECT_EQ(table.columns()[0], (Column{"ok", ColumnKind::binary}));
  EXPECT_EQ(table.columns()[1].name, "x");
  EXPECT_EQ(table.value(0, 0), 1.0);
  EXPECT_EQ(table.value(1, 0), 0.0);
  EXPECT_EQ(table.n_missing(1), 1U);
  EXPECT_THAT(table.ids(), ElementsAre("a", "b"));
  EXPECT_THAT(table.weights(), ElementsAre(1.0, 2.0));
  ASSERT_EQ(table.categories().size(), 1U);
  EXPECT_EQ(table.categories()[0].name, "colour");
  const Dataset words = read(file.path(), {.keep_words = true, .keep_missing = true});
  EXPECT_EQ(words.categories().size(), 3U);
}

TEST(ReadYesNo, AnswersMayBeMissing) {
  const Dataset table = read(TemporaryFile("x,w\n1,yes\n2,\n3,no\n").path(), {.keep_missing = true});
  ASSERT_EQ(table.n_columns(), 2U);
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::binary);
  EXPECT_EQ(table.n_missing(1), 1U);
  EXPECT_EQ(table.value(0, 1), 1.0);
  EXPECT_EQ(table.value(2, 1), 0.0);
}

TEST(ReadHeader, IsWhatTheOptionsSay) {
  const TemporaryFile file("2019,2020\n1.5,2\n3,9\n5,1\n");
  std::vector<std::string> notes;
  const auto note = [&](const Text& text) { notes.push_back(text.plain()); };
  EXPECT_EQ(read(file.path(), {.note = note}).n_rows(), 4U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("header yes"));
  const Dataset named = read(file.path(), {.header = HeaderRule::present, .note = note});
  EXPECT_EQ(named.columns()[1], (Column{"2020", ColumnKind::count}));
  EXPECT_FALSE(named.columns()[1].is_made_up);
  const TemporaryFile words("red,1\nblue,2\n");
  const Dataset bare = read(words.path(), {.header = HeaderRule::absent, .note = note});
  EXPECT_EQ(bare.n_rows(), 2U);
  EXPECT_TRUE(bare.columns()[0].is_made_up);
  EXPECT_EQ(notes.size(), 1U);
}

}  // namespace
}  // namespace coppice::internal
