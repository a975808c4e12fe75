// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <Eigen/SVD>
#include <cmath>
#include <numeric>

#include "coppice/runtime/error.hpp"
#include "data/transform/principal_directions.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/data/transform_examples.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The centred table's singular vectors, by another algorithm than the one under test.
struct Reference {
  explicit Reference(const Dataset& data) {
    const auto n_rows = static_cast<Eigen::Index>(data.n_rows());
    const auto n_columns = static_cast<Eigen::Index>(data.n_columns());
    Eigen::MatrixXd centred(n_rows, n_columns);
    for (Eigen::Index row = 0; row < n_rows; ++row) {
      for (Eigen::Index column = 0; column < n_columns; ++column) {
        centred(row, column) = data.value(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
      }
    }
    centred.rowwise() -= centred.colwise().mean().eval();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinV);
    directions = svd.matrixV();
    variances = svd.singularValues().array().square() / static_cast<double>(n_rows);
  }
  Eigen::MatrixXd directions;  // one per column
  Eigen::ArrayXd variances;
};

const npy::Array& array_of(const TransformRecord& record, const std::string& name) { return record.arrays.at(name); }

// |cos| of the angle between a found direction and the reference's.
double agreement(const npy::Array& components, std::size_t i, const Reference& reference) {
  const std::size_t n_columns = components.shape[1];
  double dot = 0.0;
  for (std::size_t column = 0; column < n_columns; ++column) {
    dot += components.values[i * n_columns + column] *
           reference.directions(static_cast<Eigen::Index>(column), static_cast<Eigen::Index>(i));
  }
  return std::abs(dot);
}

TEST(Pca, IsTheSingularValueDecompositionOfTheCentredTable) {
  for (const std::size_t n_rows : {300U, 6U}) {  // more rows than columns, and fewer
    const Dataset data = correlated_rows(n_rows, 8, 0.6);
    const Reference reference(data);
    const TransformRecord record = transformed(data, "pca:5").chain.records()[0];
    const npy::Array& ratio = array_of(record, "explained_variance_ratio");
    ASSERT_EQ(ratio.shape, (std::vector<std::size_t>{5}));
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(agreement(array_of(record, "components"), i, reference), 1.0, 1e-9);
      EXPECT_NEAR(ratio.values[i], reference.variances[static_cast<Eigen::Index>(i)] / reference.variances.sum(),
                  1e-12);
    }
  }
}

TEST(Pca, GivesCoordinatesAlongItsDirections) {
  const Dataset data = correlated_rows(100, 6, 0.7);
  const auto [chain, table, warnings] = transformed(data, "pca:3");
  const TransformRecord record = chain.records()[0];
  const std::vector<double>& components = array_of(record, "components").values;
  const std::vector<double>& mean = array_of(record, "mean").values;
  for (std::size_t row = 0; row < 100; ++row) {
    for (std::size_t i = 0; i < 3; ++i) {
      double expected = 0.0;
      for (std::size_t c = 0; c < 6; ++c) expected += (data.value(row, c) - mean[c]) * components[i * 6 + c];
      EXPECT_NEAR(table.value(row, i), expected, 1e-12);
    }
  }
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(Pca, TheLargestEntryOfADirectionIsPositive) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const npy::Array components =
        transformed(correlated_rows(50, 6, 0.9, seed), "pca:6").chain.records()[0].arrays.at("components");
    for (std::size_t i = 0; i < 6; ++i) {
      const auto first = components.values.begin() + static_cast<std::ptrdiff_t>(6 * i);
      const double largest =
          *std::max_element(first, first + 6, [](double a, double b) { return std::abs(a) < std::abs(b); });
      EXPECT_GT(largest, 0.0);
    }
  }
  // Along (1, -1 - 1e-9): both entries are as large up to rounding, and the first one decides.
  std::vector<double> values;
  for (const double value : {0.1, 0.3, 5.0, 0.7}) values.insert(values.end(), {value, -value * (1.0 + 1e-9)});
  EXPECT_GT(transformed(Dataset::from_rows(values, 4, 2), "pca:1").data.value(2, 0), 0.0);
}

// Neither squares of 1e200 nor of 1e-200 fit a double; far from 0, the spread must not drown.
TEST(Pca, DoesNotDependOnScaleOrPlace) {
  const std::vector<double> values = correlated_values(40, 4, 0.5);
  const Dataset plain = transformed(Dataset::from_rows(values, 40, 4), "pca:3").data;
  for (const double scale : {0x1p-700, 0x1p700}) {
    std::vector<double> scaled = values;
    for (double& value : scaled) value *= scale;
    const Dataset table = transformed(Dataset::from_rows(scaled, 40, 4), "pca:3").data;
    for (std::size_t at = 0; at < 120; ++at) {
      EXPECT_NEAR(table.value(at / 3, at % 3) / scale, plain.value(at / 3, at % 3), 1e-12);
    }
  }
  std::vector<double> beside;  // a constant column of any size changes nothing
  for (std::size_t at = 0; at < 160; ++at) {
    if (at % 4 == 0) beside.push_back(1.0);
    beside.push_back(values[at] * 0x1p-700);
  }
  const Dataset with_constant = transformed(Dataset::from_rows(beside, 40, 5), "pca:3").data;
  for (std::size_t at = 0; at < 120; ++at) {
    EXPECT_NEAR(with_constant.value(at / 3, at % 3) / 0x1p-700, plain.value(at / 3, at % 3), 1e-12);
  }
  const auto ends = transformed(Dataset::from_rows(std::vector<double>{-1.7e308, 1.7e308, 0.0}, 3, 1), "pca:1");
  EXPECT_THAT(ends.warnings, IsEmpty());
  std::vector<double> moved;
  for (const double value : values) moved.push_back(std::round(value * 1024) / 1024 + 1e9);
  const Dataset far = transformed(Dataset::from_rows(moved, 40, 4), "pca:3").data;
  EXPECT_LT(largest_difference(far, plain), 0.01) << "rounded to 1 / 1024";
}

TEST(Pca, SaysHowManyDirectionsThereCanBe) {
  const Dataset data = correlated_rows(4, 6, 0.5);
  EXPECT_EQ(message_of<OptionError>([&] { (void)transformed(data, "pca:5"); }),
            "pca:5: 4 rows of 6 columns hold at most 4 directions; choose pca:1 to pca:4");
  EXPECT_THAT(message_of<OptionError>([&] {
                (void)transformed(data.with_weights({1, 1, 1, 0}), "pca:4");
              }),
              HasSubstr("3 rows of 6 columns"));
  EXPECT_THAT(message_of<OptionError>([&] { (void)transformed(correlated_rows(9, 2, 0.5), "pca:3"); }),
              HasSubstr("hold at most 2 directions"));
}

TEST(Pca, DirectionsWithoutVarianceAreZero) {
  const auto four = transformed(correlated_rows(4, 6, 0.5), "pca:4");  // four centred rows span three directions
  EXPECT_THAT(plain(four.warnings), ElementsAre(HasSubstr("pca:4: the rows vary in 3 directions only")));
  for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(four.data.value(row, 3), 0.0);
  EXPECT_EQ(four.chain.inverse_kind(), Inverse::approximate);
  const auto one = transformed(Dataset::from_rows(std::vector<double>{3, 4, 5}, 1, 3), "pca:1");
  EXPECT_EQ(one.data.value(0, 0), 0.0);
  EXPECT_THAT(plain(one.warnings), ElementsAre(HasSubstr("vary in 0 directions only")));
  EXPECT_THAT(one.chain.inverse({0.0}), ElementsAre(3, 4, 5));
  const auto copies = transformed(Dataset::from_rows(std::vector<double>{1, 2, 1, 2, 1, 2}, 3, 2), "pca:2");
  EXPECT_EQ(largest_difference(copies.data, Dataset::from_rows(std::vector<double>(6, 0.0), 3, 2)), 0.0);
}

// Where the spectrum falls by a tenth per direction, four power iterations leave nothing of the rest.
TEST(SampledSubspace, FindsTheDirectionsOfTheCovariance) {
  const Dataset data = correlated_rows(400, 60, 0.9);
  LocalExecution local(2);
  const CentredRows rows = CentredRows::make(local.get(), data);
  const PrincipalDirections exact = directions_of_covariance(local.get(), rows, 5);
  const PrincipalDirections sampled = directions_by_sampling(local.get(), rows, 5, 1, 0);
  EXPECT_NEAR(sampled.total_variance, exact.total_variance, 1e-12 * exact.total_variance);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(sampled.variances[i] / exact.variances[i], 1.0, 1e-6) << i;
    const double dot = std::inner_product(sampled.directions.begin() + static_cast<std::ptrdiff_t>(60 * i),
                                          sampled.directions.begin() + static_cast<std::ptrdiff_t>(60 * (i + 1)),
                                          exact.directions.begin() + static_cast<std::ptrdiff_t>(60 * i), 0.0);
    EXPECT_NEAR(std::abs(dot), 1.0, 1e-4) << i;
  }
}

// On a flat spectrum directions are arbitrary, but the variance along them is not: within 10% of the most there is.
TEST(SampledSubspace, LosesLittleWhereAllDirectionsAreAlike) {
  const Dataset data = correlated_rows(500, 80, 1.0);
  LocalExecution local(1);
  const CentredRows rows = CentredRows::make(local.get(), data);
  const PrincipalDirections exact = directions_of_covariance(local.get(), rows, 8);
  const PrincipalDirections sampled = directions_by_sampling(local.get(), rows, 8, 1, 0);
  const double most = std::accumulate(exact.variances.begin(), exact.variances.end(), 0.0);
  const double found = std::accumulate(sampled.variances.begin(), sampled.variances.end(), 0.0);
  EXPECT_GT(found, 0.9 * most);
  EXPECT_LE(found, most * (1.0 + 1e-12));
}

// The eigenvectors of the products of rows, spread over ten orders of magnitude, are those of the covariance matrix.
TEST(Pca, OfFewRowsIsThatOfTheCovariance) {
  const Dataset data = correlated_rows(20, 50, 0.3);
  LocalExecution local(1);
  const CentredRows rows = CentredRows::make(local.get(), data);
  const PrincipalDirections wanted = directions_of_covariance(local.get(), rows, 10);
  const PrincipalDirections found = directions_of_few_rows(rows, 10);
  EXPECT_NEAR(found.total_variance, wanted.total_variance, 1e-12 * wanted.total_variance);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(found.variances[i], wanted.variances[i], 1e-14 * wanted.variances[0]) << i;
    for (std::size_t j = 0; j < 10; ++j) {
      double dot = 0.0;
      for (std::size_t c = 0; c < 50; ++c) dot += found.directions[i * 50 + c] * wanted.directions[j * 50 + c];
      EXPECT_NEAR(std::abs(dot), i == j ? 1.0 : 0.0, 1e-5) << i << " and " << j;
    }
  }
}

// Wider than the covariance matrix may be.
TEST(Pca, TakesManyColumns) {
  constexpr std::size_t n_columns = most_columns_for_covariance + 100;
  const Dataset data = correlated_rows(60, n_columns, 0.8);
  const Reference reference(data);
  const auto one = transformed(data, "pca:4", 1, 3);
  EXPECT_EQ(one.chain, transformed(data, "pca:4", 3, 3).chain);
  const TransformRecord record = one.chain.records()[0];
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(agreement(array_of(record, "components"), i, reference), 1.0, 1e-8);
  const double ratio = array_of(record, "explained_variance_ratio").values[0];
  EXPECT_NEAR(ratio, reference.variances[0] / reference.variances.sum(), 1e-9);
  EXPECT_THROW((void)transformed(data, "pca:61"), OptionError);
  EXPECT_THAT(plain(transformed(data, "pca:60").warnings), ElementsAre(HasSubstr("directions only")));
}

TEST(SampledSubspace, SparseRowsAreNotFilledUp) {
  const auto [sparse, dense] = sparse_pair(300, 50);
  std::vector<double> weights(300);
  for (std::size_t row = 0; row < 300; ++row) weights[row] = static_cast<double>(row % 3);
  LocalExecution local(2);
  const Dataset weighted_sparse = sparse.with_weights(weights);
  const Dataset weighted_dense = dense.with_weights(weights);
  const CentredRows from_sparse = CentredRows::make(local.get(), weighted_sparse);
  const CentredRows from_dense = CentredRows::make(local.get(), weighted_dense);
  const PrincipalDirections a = directions_by_sampling(local.get(), from_sparse, 6, 1, 0);
  const PrincipalDirections b = directions_by_sampling(local.get(), from_dense, 6, 1, 0);
  EXPECT_NEAR(a.total_variance, b.total_variance, 1e-12 * b.total_variance);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a.variances[i], b.variances[i], 1e-10 * b.variances[0]);
  for (std::size_t at = 0; at < a.directions.size(); ++at) EXPECT_NEAR(a.directions[at], b.directions[at], 1e-8);
}

}  // namespace
}  // namespace coppice::internal
