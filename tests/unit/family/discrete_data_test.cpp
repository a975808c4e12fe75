// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/discrete_data.hpp"

#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

template <class Check>
std::string refusal(const Check& check, const Dataset& data) {
  try {
    check(data);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

Dataset table(std::vector<double> values) {
  const std::size_t n_rows = values.size() / 2;
  return Dataset::from_rows(std::move(values), n_rows, 2).with_names({"apples", "pears"});
}

TEST(CheckCounts, NamesRowColumnAndValue) {
  EXPECT_EQ(refusal(check_counts, table({0, 3, 1e6, 2})), "");
  for (const auto& [value, text] : {std::pair{-2.0, "-2"}, std::pair{0.5, "0.5"}, std::pair{1e300, "1e+300"}}) {
    const Dataset wrong = table({0, 3, 1, value});
    for (const Dataset& data : {wrong, sparse_copy(wrong).with_names({"apples", "pears"})}) {
      const std::string message = refusal(check_counts, data);
      EXPECT_EQ(message.find(std::string("row 2 (counted from 1), column 'pears': the value is ") + text + ","), 0U)
          << message;
      EXPECT_NE(message.find("another family"), std::string::npos) << message;
    }
  }
}

TEST(CheckBinary, NamesRowColumnAndValue) {
  EXPECT_EQ(refusal(check_binary, table({0, 1, 1, 0})), "");
  const Dataset wrong = table({0, 1, 2, 1});
  for (const Dataset& data : {wrong, sparse_copy(wrong).with_names({"apples", "pears"})}) {
    const std::string message = refusal(check_binary, data);
    EXPECT_EQ(message.find("row 2 (counted from 1), column 'apples': the value is 2, but"), 0U) << message;
    EXPECT_NE(message.find("transform binarize"), std::string::npos) << message;
  }
}

TEST(SharedTotal, IsFoundOrNot) {
  LocalExecution execution(2);
  for (const bool is_sparse : {false, true}) {
    const auto total = [&](const Dataset& data) {
      return shared_total(execution.get(), is_sparse ? sparse_copy(data) : data);
    };
    EXPECT_EQ(total(random_counts(9000, 6, 3, 1, 12)), 12.0);
    EXPECT_EQ(total(table({1, 2, 3, 0, 2, 1})), 3.0);
    EXPECT_EQ(total(table({1, 2, 3, 0, 2, 2})), std::nullopt);
    std::vector<double> values(2 * 9000, 1.0);
    values.back() = 2.0;
    EXPECT_EQ(total(table(values)), std::nullopt);
  }
}

}  // namespace
}  // namespace coppice::internal
