// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dataset example() {
  return Dataset::from_rows(std::vector<double>{0, 3, 0.5, 1, 7, -1}, 2, 3)
      .with_names({"flag", "count", "real"})
      .with_weights({2.0, 3.0})
      .with_ids({"a", "b"})
      .with_categories({{"colour", {"blue", "red"}, {1, 0}}, {"size", {"big"}, {0, 0}}});
}

TEST(SelectColumns, TakesNamesAndNumbersInTheOrderGiven) {
  const Dataset table = example().select_columns({"real", "1"});
  ASSERT_EQ(table.n_columns(), 2U);
  EXPECT_EQ(table.columns()[0], (Column{"real", ColumnKind::real}));
  EXPECT_EQ(table.columns()[1], (Column{"flag", ColumnKind::binary}));
  EXPECT_THAT(table.doubles(), ElementsAre(0.5, 0.0, -1.0, 1.0));
}

TEST(SelectColumns, KeepsWeightsIdsAndStorage) {
  const Dataset table = example().select_columns({"count"});
  EXPECT_THAT(table.weights(), ElementsAre(2.0, 3.0));
  EXPECT_THAT(table.ids(), ElementsAre("a", "b"));
  EXPECT_TRUE(table.categories().empty());
  const Dataset floats = Dataset::from_rows(std::vector<float>{1, 2, 3, 4}, 2, 2).select_columns({"x2"});
  EXPECT_EQ(floats.storage(), Storage::float32);
  EXPECT_THAT(floats.floats(), ElementsAre(2.0F, 4.0F));
}

TEST(SelectColumns, TakesCategoriesByName) {
  const Dataset table = example().select_columns({"colour", "count"});
  ASSERT_EQ(table.categories().size(), 1U);
  EXPECT_EQ(table.categories()[0], example().categories()[0]);
  EXPECT_THAT(table.doubles(), ElementsAre(3.0, 7.0));
  const Dataset words = example().select_columns({"size"});
  EXPECT_EQ(words.n_columns(), 0U);
  EXPECT_EQ(words.n_rows(), 2U);
}

TEST(SelectColumns, SharesTheNumbersIfAllStayInPlace) {
  const Dataset table = example();
  EXPECT_EQ(table.select_columns({"flag", "count", "real"}).doubles().data(), table.doubles().data());
}

TEST(SelectColumns, TellsColumnsOfTheSameNameApartByNumber) {
  const Dataset table = Dataset::from_rows(std::vector<double>{5, 6}, 1, 2).with_names({"a", "a"});
  EXPECT_THAT(table.select_columns({"2", "1"}).doubles(), ElementsAre(6.0, 5.0));
}

TEST(SelectColumns, PrefersANameOverANumber) {
  const Dataset table = Dataset::from_rows(std::vector<double>{5, 6}, 1, 2).with_names({"2", "1"});
  EXPECT_THAT(table.select_columns({"1"}).doubles(), ElementsAre(6.0));
}

TEST(SelectColumns, RefusesUnknownColumnsAndListsThoseThereAre) {
  for (const char* wrong : {"weight", "0", "6", "-1", "1.5", ""}) {
    const auto message = message_of<OptionError>([&] { (void)example().select_columns({wrong}); });
    EXPECT_THAT(message, HasSubstr("flag, count, real, colour, size")) << wrong;
  }
  EXPECT_THAT(message_of<OptionError>([] { (void)example().select_columns({"real", "3"}); }), HasSubstr("twice"));
  EXPECT_THROW((void)example().select_columns({}), OptionError);
}

}  // namespace
}  // namespace coppice
