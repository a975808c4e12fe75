// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/hierarchy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/data/npy.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;

TEST(LinkageNpy, IsAMatrixOfFourColumns) {
  const Dendrogram tree = {3, {{0, 2, 0.5, 2.0}, {1, 3, 1.5, 3.0}}};
  const npy::Array array = npy::parse_array(linkage_npy(tree), "linkage.npy");
  EXPECT_THAT(array.shape, ElementsAre(2, 4));
  EXPECT_THAT(array.values, ElementsAre(0, 2, 0.5, 2, 1, 3, 1.5, 3));
}

TEST(LinkageNpy, OfOneRowHasNoRows) {
  EXPECT_THAT(npy::parse_array(linkage_npy({1, {}}), "linkage.npy").shape, ElementsAre(0, 4));
}

TEST(ObjectiveNpy, IsAList) {
  const npy::Array array = npy::parse_array(objective_npy(std::vector<double>{3.0, 1.0, 2.0}), "objective.npy");
  EXPECT_THAT(array.shape, ElementsAre(3));
  EXPECT_THAT(array.values, ElementsAre(3, 1, 2));
}

}  // namespace
}  // namespace coppice::internal
