// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/squares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Dataset column(std::vector<double> values) {
  const std::size_t n = values.size();
  return Dataset::from_rows(std::move(values), n, 1);
}

std::string refusal(const Dataset& data) {
  return message_of<DataError>([&] { check_squares(data); });
}

TEST(CheckSquares, NamesRowAndColumnOfWhatOverflows) {
  EXPECT_THAT(refusal(column({1e308, 1e308, 1e308, -1e308})),
              AllOf(HasSubstr("row 1, column 'x1'"), HasSubstr("1e+308"), HasSubstr("overflow")));
  EXPECT_THAT(refusal(column({0, 1, -1e200})), HasSubstr("row 3, column 'x1': -1e+200"));
  EXPECT_THAT(refusal(Dataset::from_rows(std::vector<double>{0, 0, 1, 1e160, 2, 3}, 3, 2)),
              HasSubstr("row 2, column 'x2'"));
  EXPECT_THAT(refusal(column({1.7e308, 1.7e308})), HasSubstr("row 1")) << "constant, but its sum overflows";
}

TEST(CheckSquares, TakesWhatSumsUp) {
  for (const double size : {1e-130, 1e-38, 1.0, 1e38, 1e149}) {
    EXPECT_NO_THROW(check_squares(column({size, -size, 0.0}))) << size;
  }
  EXPECT_NO_THROW(check_squares(column({1e299, 1e299}))) << "constant";
  EXPECT_NO_THROW(check_squares(column({5e-324, 5e-324}))) << "constant";
  EXPECT_NO_THROW(check_squares(Dataset::from_rows(std::vector<float>{3e38F, -3e38F, 1e-45F}, 3, 1)));
}

TEST(CheckSquares, NamesRowAndColumnOfWhatVanishes) {
  EXPECT_THAT(refusal(column({0, 0, 1e-200, 0})), AllOf(HasSubstr("row 3, column 'x1': 1e-200"), HasSubstr("vanish")));
  EXPECT_THAT(refusal(column({1e-308, 2e-308})), HasSubstr("row 2"));
  EXPECT_THAT(refusal(Dataset::from_rows(std::vector<double>{0, 0, 1, 5e-324}, 2, 2)), HasSubstr("column 'x2'"));
}

TEST(CheckSquares, WeightsCountOnBothSides) {
  const Dataset wide = column({1e100, -1e100, 0});
  EXPECT_NO_THROW(check_squares(wide));
  EXPECT_THAT(refusal(wide.with_weights({1e60, 1, 1})), HasSubstr("row 1, column 'x1'"));
  const Dataset narrow = column({1e-100, -1e-100, 0});
  EXPECT_NO_THROW(check_squares(narrow));
  EXPECT_THAT(refusal(narrow.with_weights({1, 1, 1e-90})), HasSubstr("vanish"));
}

TEST(CheckWeights, NamesTheRow) {
  const Dataset data = column({1, 2, 3});
  const auto weigh = [&](std::vector<double> weights) { return check_weights(data.with_weights(std::move(weights))); };
  EXPECT_DOUBLE_EQ(weigh({0.5, 0, 2}).total, 2.5);
  EXPECT_DOUBLE_EQ(weigh({0.5, 0, 2}).least, 0.5);
  EXPECT_DOUBLE_EQ(check_weights(data).total, 3.0);
  EXPECT_THAT(message_of<DataError>([&] { (void)weigh({1, 1e300, 1}); }), HasSubstr("row 2 weighs 1e+300"));
  EXPECT_THAT(message_of<DataError>([&] { (void)weigh({1, 0, 1e-300}); }), HasSubstr("row 3 weighs 1e-300"));
}

TEST(CheckReach, NamesRowAndColumnOfWhatIsTooFar) {
  const std::vector<double> origin{5.0, 0.0};
  const std::vector<double> reach{1e-3, 0.0};
  const auto look = [&](double a, double b) {
    check_reach(Dataset::from_rows(std::vector<double>{5.0, 0.0, a, b}, 2, 2), origin, reach);
  };
  EXPECT_NO_THROW(look(1e90, 1e90));
  EXPECT_THAT(message_of<DataError>([&] { look(1e98, 0); }), HasSubstr("row 2, column 'x1': 1e+98"));
  EXPECT_THAT(message_of<DataError>([&] { look(0, -1e200); }), HasSubstr("row 2, column 'x2'"));
  const std::vector<double> nowhere{0.0, 0.0};
  EXPECT_NO_THROW(check_reach(Dataset::from_rows(std::vector<double>{7.0, 8.0}, 1, 2), origin, nowhere));
}

}  // namespace
}  // namespace coppice::internal
