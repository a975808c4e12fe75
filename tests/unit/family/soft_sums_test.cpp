// SPDX-License-Identifier: BSD-3-Clause
// Rows that clusters share, taken for all clusters at once, against one cluster after the other.
#include "coppice/family/soft_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/family/adapter.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_rows = 600;  // several panels, the last one not full

// Statistics of k clusters with random shares in all rows; once by SoftSums, once by add().
struct Shared {
  std::vector<std::vector<double>> at_once;
  std::vector<std::vector<double>> one_by_one;

  Shared(const Components& components, const Rows& rows, std::size_t k) {
    at_once.assign(k, std::vector<double>(components.stats_size(), 0.0));
    one_by_one = at_once;
    const std::unique_ptr<SoftSums> sums = make_soft_sums(components);
    BlockBuffer buffer(rows.n_columns());
    RandomStream random{k, Purpose::test, rows.n_columns()};
    for (std::size_t first = 0; first < rows.size(); first += kernels::panel_rows) {
      RowBlock block(rows, first, std::min(kernels::panel_rows, rows.size() - first), buffer);
      std::vector<std::vector<double>> shares(k, std::vector<double>(kernels::panel_rows + 16, 0.0));
      std::vector<PanelPart> parts;
      for (std::size_t c = 0; c < k; ++c) {
        double weight = 0.0;
        for (std::size_t i = 0; i < block.n_rows(); ++i) weight += shares[c][i] = random.uniform();
        parts.push_back({c, at_once[c], shares[c].data(), weight});
        components.add(one_by_one[c], block, {shares[c].data(), block.n_rows()});
      }
      sums->add(block, parts);
    }
  }
};

// Values are of the size of the mean or of the squares about the mean; `tolerance` is relative to either.
void expect_same(const Shared& shared, std::size_t d, double tolerance) {
  for (std::size_t c = 0; c < shared.at_once.size(); ++c) {
    for (std::size_t i = 0; i < shared.at_once[c].size(); ++i) {
      const double want = shared.one_by_one[c][i];
      const double size = i <= d ? 1.0 + std::abs(want) : std::abs(want);
      ASSERT_NEAR(shared.at_once[c][i], want, tolerance * size) << "cluster " << c << ", number " << i;
    }
  }
}

template <class F>
class SharingFamilies : public testing::Test {};
using Shapes = testing::Types<PointGaussian, PointDiagonal, PointSpherical>;
TYPED_TEST_SUITE(SharingFamilies, Shapes);

TYPED_TEST(SharingFamilies, TakeRowsAsOneAfterTheOther) {
  for (const std::size_t d : {1U, 2U, 3U, 7U, 8U, 19U}) {
    const FamilyAdapter<TypeParam> components(TypeParam(d, 1e-6));
    const Rows rows = random_rows(n_rows, d, d);
    for (const std::size_t k : {1U, 2U, 5U, 9U}) expect_same(Shared(components, rows, k), d, 1e-12);
  }
}

// Squares about an origin a million standard deviations away would have lost 40 of their 53 bits.
TYPED_TEST(SharingFamilies, KeepTheDigitsOfClustersFarFromTheOrigin) {
  for (const std::size_t d : {3U, 11U}) {
    const FamilyAdapter<TypeParam> components(TypeParam(d, 1e-12));
    std::vector<double> values = random_values(n_rows * d, 1, 1.0);
    for (std::size_t i = 1; i < values.size(); i += d) values[i] += 1e6;
    expect_same(Shared(components, make_rows(std::move(values), d), 3), d, 1e-12);
  }
}

TYPED_TEST(SharingFamilies, TakeColumnsThatDoNotVary) {
  const std::size_t d = 2;
  const FamilyAdapter<TypeParam> components(TypeParam(d, 1e-6));
  std::vector<double> values = random_values(n_rows * d, 2);
  for (std::size_t i = 0; i < values.size(); i += d) values[i] = 0.3;
  const Shared shared(components, make_rows(std::move(values), d), 2);
  expect_same(shared, d, 1e-12);
}

}  // namespace
}  // namespace coppice::internal
