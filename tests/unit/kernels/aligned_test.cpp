// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/aligned.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace coppice::kernels {
namespace {

TEST(AlignedVector, BeginsAtALineOfTheCache) {
  for (const std::size_t size : {1U, 3U, 264U, 100000U}) {
    AlignedVector<double> values(size, 1.5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U) << size;
    values.push_back(2.5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U) << size;
    EXPECT_EQ(values.front(), 1.5);
    EXPECT_EQ(values.back(), 2.5);
  }
}

}  // namespace
}  // namespace coppice::kernels
