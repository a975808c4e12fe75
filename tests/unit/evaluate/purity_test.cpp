// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/purity.hpp"

#include <gtest/gtest.h>

#include "unit/evaluate/labelings.hpp"

namespace coppice::evaluate {
namespace {

TEST(Purity, EqualsReferenceValues) {
  for (const ScoredPair& pair : scored_pairs()) EXPECT_NEAR(purity(pair.labels, pair.truth), pair.purity, 1e-15);
}

TEST(Purity, ClustersMustBePureNotGroups) {
  EXPECT_EQ(purity(Labels{0, 1, 2, 3}, Labels{0, 0, 1, 1}), 1.0);
  EXPECT_EQ(purity(Labels{0, 0, 1, 1}, Labels{0, 1, 2, 3}), 0.5);
}

TEST(Purity, EqualPartitionsScoreOne) {
  for (const auto& [labels, truth] : equal_partitions()) EXPECT_EQ(purity(labels, truth), 1.0);
}

}  // namespace
}  // namespace coppice::evaluate
