// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/format_text.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <vector>

namespace coppice::internal {

namespace {

TEST(FormatText, NamesOptionsAndFormatsTheRest) {
  Text expected = option("k");
  expected += " is 7, but ";
  expected += option("max_k");
  expected += " is 3.50";
  EXPECT_EQ(format_text("{k} is {}, but {max_k} is {:.2f}", 7, 3.5), expected);
  EXPECT_EQ(format_text("use {assign=naive} in {fit()}").parts().size(), 4U);
  EXPECT_EQ(format_text("use {assign=naive} in {fit()}").plain(), "use assign naive in fit");
}

TEST(FormatText, TakesWhatFmtTakes) {
  const std::vector<int> numbers{1, 2, 3};
  const std::string_view view = "view";
  EXPECT_EQ(format_text("{} {:>4} {} {} {{}} {:g}", fmt::join(numbers, ","), "ab", std::string("s"), view, 1e-9f),
            "1,2,3   ab s view {} 1e-09");
}

TEST(FormatText, TakesTextsAndOptionsAsArguments) {
  Text nested = "set ";
  nested += option("floor");
  const Text text = format_text("{}: {}, or {}{}", "file.csv", nested, option("k", 3), Text());
  EXPECT_EQ(text.plain(), "file.csv: set floor, or k 3");
  EXPECT_EQ(text.parts().size(), 4U);
  EXPECT_EQ(format_text("{}", nested), nested);
}

TEST(FormatText, TakesNothingInArgumentsForAnOption) {
  const std::string name = "{k} {} {{ } {predict()}";  // of a column
  EXPECT_EQ(format_text("column '{}'", name), Text("column '" + name + "'"));
  EXPECT_EQ(format_text("{}", Text(name)), Text(name));
  EXPECT_EQ(format_text("{}", option("id", name)), Text(option("id", name)));
}

}  // namespace

}  // namespace coppice::internal
