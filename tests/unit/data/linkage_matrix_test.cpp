// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/linkage_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "coppice/data/npy.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Dendrogram four = {4, {{0, 2, 0.5, 2.0}, {1, 3, 1.5, 2.0}, {4, 5, 2.5, 4.0}}};

std::vector<double> matrix() { return to_linkage_matrix(four); }

std::string refusal(const std::vector<double>& values) {
  return message_of<DataError>([&] { (void)from_linkage_matrix(values, "tree.npy"); });
}

std::string refusal_with(std::size_t merge, std::size_t entry, double value) {
  std::vector<double> values = matrix();
  values[4 * merge + entry] = value;
  return refusal(values);
}

TEST(LinkageMatrix, HasFourNumbersPerMerge) {
  EXPECT_THAT(matrix(), ElementsAre(0, 2, 0.5, 2, 1, 3, 1.5, 2, 4, 5, 2.5, 4));
}

TEST(LinkageMatrix, ComesBackAsItWas) { EXPECT_EQ(from_linkage_matrix(matrix(), "tree.npy"), four); }

TEST(LinkageMatrix, PutsTheSmallerNodeFirst) {
  std::vector<double> values = matrix();
  std::swap(values[8], values[9]);
  EXPECT_EQ(from_linkage_matrix(values, "tree.npy"), four);
}

TEST(LinkageMatrix, OfOneLeafIsEmpty) {
  EXPECT_TRUE(to_linkage_matrix({1, {}}).empty());
  EXPECT_EQ(from_linkage_matrix({}, "tree.npy"), (Dendrogram{1, {}}));
}

TEST(LinkageMatrix, NodesMustBeThere) {
  EXPECT_EQ(refusal_with(1, 1, 5.0),
            "tree.npy: no tree: merge 1 (counted from 0): it joins node 5, but the nodes there are by then are 0 to 4");
  EXPECT_THAT(refusal_with(0, 0, -1.0), HasSubstr("merge 0 (counted from 0): it joins node -1"));
  EXPECT_THAT(refusal_with(2, 0, 4.5), HasSubstr("joins node 4.5"));
  EXPECT_THAT(refusal_with(2, 0, std::numeric_limits<double>::quiet_NaN()), HasSubstr("joins node nan"));
  EXPECT_THAT(refusal_with(2, 1, 1e300), HasSubstr("joins node 1e+300"));
}

TEST(LinkageMatrix, NodesAreJoinedOnce) {
  EXPECT_THAT(refusal_with(1, 0, 0.0), HasSubstr("merge 1 (counted from 0): node 0 has been joined before"));
  EXPECT_THAT(refusal_with(2, 1, 4.0), HasSubstr("merge 2 (counted from 0): node 4 has been joined before"));
}

TEST(LinkageMatrix, SizesAreThoseOfTheLeaves) {
  EXPECT_THAT(refusal_with(2, 3, 3.0), HasSubstr("its size is 3, but nodes 4 and 5 hold 4 leaves"));
}

TEST(LinkageMatrix, HeightsAreNumbersFromZero) {
  EXPECT_THAT(refusal_with(0, 2, -0.5), HasSubstr("its height is -0.5"));
  EXPECT_THAT(refusal_with(1, 2, std::numeric_limits<double>::infinity()), HasSubstr("its height is inf"));
  EXPECT_THAT(refusal_with(1, 2, std::numeric_limits<double>::quiet_NaN()), HasSubstr("its height is nan"));
}

TEST(LinkageMatrix, MayDescend) {
  std::vector<double> values = matrix();
  values[10] = 0.1;  // SciPy's centroid linkage makes such trees
  EXPECT_EQ(from_linkage_matrix(values, "tree.npy").merges[2].height, 0.1);
}

TEST(LinkageMatrix, WholeRowsOnly) { EXPECT_THAT(refusal({0, 1, 0.5}), HasSubstr("3 numbers")); }

TEST(ReadLinkage, TakesAnNpyFile) {
  const TemporaryFile file(npy::to_bytes(matrix(), {3, 4}), ".npy");
  EXPECT_EQ(read_linkage(file.path()), four);
}

TEST(ReadLinkage, TakesATreeOfOneLeaf) {
  const TemporaryFile file(npy::to_bytes(std::vector<double>{}, {0, 4}), ".npy");
  EXPECT_EQ(read_linkage(file.path()).n_leaves, 1U);
}

TEST(ReadLinkage, NamesFileAndShape) {
  const TemporaryFile wide(npy::to_bytes(matrix(), {4, 3}), ".npy");
  EXPECT_THAT(message_of<DataError>([&] { (void)read_linkage(wide.path()); }),
              HasSubstr(wide.path() + ": the array has shape (4, 3)"));
  const TemporaryFile flat(npy::to_bytes(matrix(), {12}), ".npy");
  EXPECT_THAT(message_of<DataError>([&] { (void)read_linkage(flat.path()); }), HasSubstr("shape (12,)"));
  const TemporaryFile text("0,1,0.5,2\n", ".csv");
  EXPECT_THAT(message_of<DataError>([&] { (void)read_linkage(text.path()); }),
              HasSubstr(text.path() + ": no NPY file"));
  EXPECT_THROW((void)read_linkage("nowhere/linkage.npy"), IoError);
}

}  // namespace
}  // namespace coppice::internal
