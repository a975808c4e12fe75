// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/error.hpp"

#include <gmock/gmock.h>

#include <exception>
#include <type_traits>

namespace coppice {

namespace {

static_assert(std::is_nothrow_copy_constructible_v<OptionError>);

TEST(Error, SaysItsTextWithBareKeys) {
  Text message = option("k", 7);
  message += " is too much";
  const OptionError error(message);
  EXPECT_STREQ(error.what(), "k 7 is too much");
  EXPECT_EQ(error.text(), message);
  EXPECT_EQ(error.exit_code(), 2);
}

TEST(Error, TakesWordsAsTheyAre) {
  const std::string odd = "{k}: column '{}' --k";
  EXPECT_EQ(DataError(odd).what(), odd);
  EXPECT_EQ(DataError(odd).text(), Text(odd));
  EXPECT_STREQ(IoError("no such file").what(), "no such file");
}

TEST(Error, KeepsItsTextInCopiesAndOnItsWay) {
  const Text message = option("max_rows");
  LimitError first(message);
  const Error copy = first;
  const Error moved = std::move(first);
  EXPECT_EQ(copy.text(), message);
  EXPECT_EQ(moved.text(), message);
  EXPECT_EQ(first.text(), message) << "an error always has one";
  try {
    try {
      throw NumericError(message);
    } catch (const Error&) {
      std::rethrow_exception(std::current_exception());
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), message);
  }
}

TEST(Error, KnowsTheExitCode) {
  EXPECT_EQ(NumericError("").exit_code(), 1);
  EXPECT_EQ(OptionError("").exit_code(), 2);
  EXPECT_EQ(DataError("").exit_code(), 3);
  EXPECT_EQ(IoError("").exit_code(), 4);
  EXPECT_EQ(LimitError("").exit_code(), 5);
}

}  // namespace

}  // namespace coppice
