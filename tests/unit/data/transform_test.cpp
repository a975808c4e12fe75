// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/transform.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/data/transform_examples.hpp"

namespace coppice::internal {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* all_steps[] = {"standardize", "normalize",    "pca:2",        "project:2",
                                     "log1p",       "binarize:0.5", "drop-constant"};

TEST(TransformSpec, IsReadFromText) {
  EXPECT_THAT(parse_transforms("standardize,pca:50"),
              ElementsAre(TransformSpec{"standardize"}, TransformSpec{"pca", 50.0}));
  EXPECT_THAT(parse_transforms(" log1p , binarize:-0.25"),
              ElementsAre(TransformSpec{"log1p"}, TransformSpec{"binarize", -0.25}));
  EXPECT_THAT(parse_transforms("binarize"), ElementsAre(TransformSpec{"binarize"}));
  EXPECT_EQ(to_string(parse_transforms("normalize,project:4194304,binarize:0.1,binarize:1e-7")),
            "normalize,project:4194304,binarize:0.1,binarize:1e-07");
}

std::string refusal(std::string_view text) {
  return message_of<OptionError>([&] { (void)parse_transforms(text); });
}

TEST(TransformSpec, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("standardise"),
            "there is no transform 'standardise'; did you mean standardize? They are: standardize, normalize, pca, "
            "project, log1p, binarize, drop-constant");
  EXPECT_THAT(refusal("whiten"), HasSubstr("there is no transform 'whiten'; the transforms are: standardize,"));
  EXPECT_EQ(refusal("pca"), "pca needs a number of dimensions, as in pca:50");
  EXPECT_THAT(refusal("project:"), HasSubstr("expected a number of dimensions from 1 to 4194304, as in project:50"));
  for (const char* text : {"pca:0", "pca:-1", "pca:2.5", "pca:x", "pca:1e3", "pca:4194305", "pca:2:3"}) {
    EXPECT_THAT(refusal(text), HasSubstr("expected a number of dimensions")) << text;
  }
  for (const char* text : {"binarize:", "binarize:nan", "binarize:inf", "binarize:1x"}) {
    EXPECT_THAT(refusal(text), HasSubstr("expected a number as threshold")) << text;
  }
  EXPECT_EQ(refusal("log1p:2"), "'log1p:2': log1p takes no number; leave out ':2'");
  for (const char* text : {"", " ", "log1p,", ",log1p", "log1p,,pca:2"}) {
    EXPECT_THAT(refusal(text), HasSubstr("a transform is missing")) << text;
  }
}

TEST(Transforms, WithoutStepsLeaveTheTableAlone) {
  const Dataset data = correlated_rows(5, 3, 0.5);
  LocalExecution local(1);
  const FittedTransforms none = fit_transforms(local.get(), {}, data);
  EXPECT_TRUE(none.chain.empty());
  EXPECT_EQ(none.data, data);
  EXPECT_EQ(none.chain, Transforms());
  EXPECT_EQ(none.chain.apply(local.get(), data), data);
  EXPECT_EQ(none.chain.inverse_kind(), Inverse::exact);
}

TEST(Standardize, FollowsTheFormula) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 10, 2, 10, 6, 40}, 3, 2).with_names({"a", "b"});
  const auto [chain, table, warnings] = transformed(data, "standardize");
  // Means 3 and 20, population variances 14/3 and 200.
  const double a = std::sqrt(14.0 / 3.0);
  const double b = std::sqrt(200.0);
  const std::vector<double> expected = {-2 / a, -10 / b, -1 / a, -10 / b, 3 / a, 20 / b};
  for (std::size_t at = 0; at < 6; ++at) EXPECT_NEAR(table.value(at / 2, at % 2), expected[at], 1e-15);
  EXPECT_EQ(table.columns()[1].name, "b");
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::real);
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_EQ(apply(chain, data), table);
}

// The spread of 1e9 + {0, 1, 2, 3} is that of {0, 1, 2, 3}, exactly; 1e300 squared does not fit a double, nor does the
// difference of the largest numbers.
TEST(Standardize, IsStableAtAnyScale) {
  const std::vector<double> shape = {0, 1, 2, 3, 0.5, 2.5};
  const Dataset plain = transformed(Dataset::from_rows(shape, 6, 1), "standardize").data;
  for (const double scale : {1e-300, 1e300, 1e-310}) {
    std::vector<double> values = shape;
    for (double& value : values) value *= scale;
    const Dataset table = transformed(Dataset::from_rows(values, 6, 1), "standardize").data;
    EXPECT_LT(largest_difference(table, plain), scale < 1e-307 ? 1e-12 : 1e-14) << scale;
  }
  std::vector<double> far = shape;
  for (double& value : far) value += 1e9;
  EXPECT_LT(largest_difference(transformed(Dataset::from_rows(far, 6, 1), "standardize").data, plain), 1e-14);
  const Dataset ends =
      transformed(Dataset::from_rows(std::vector<double>{-1.7e308, 1.7e308, 1.7e308}, 3, 1), "standardize").data;
  EXPECT_NEAR(ends.value(0, 0), -std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(ends.value(1, 0), std::sqrt(0.5), 1e-15);
}

// Sums of numbers near 1e9 lose what a second pass must bring back: 2^-22 is the last digit that 1e9 leaves.
TEST(Standardize, KeepsTheDigitsOfManyRowsFarFromZero) {
  RandomStream random{1, Purpose::test, 72};
  std::vector<double> near;
  std::vector<double> far;
  for (std::size_t row = 0; row < 4096; ++row) {
    near.push_back(std::round(random.uniform() * 0x1p22) * 0x1p-22);
    far.push_back(1e9 + near.back());
  }
  const Dataset expected = transformed(Dataset::from_rows(near, 4096, 1), "standardize").data;
  // The mean is a double near 1e9, so up to 2^-24 off; the deviation is 0.29.
  EXPECT_LT(largest_difference(transformed(Dataset::from_rows(far, 4096, 1), "standardize").data, expected), 4e-7);
}

TEST(Standardize, ConstantColumnsBecomeZeroWithAWarning) {
  // 0.1 three times: its mean by summing is not 0.1.
  const Dataset data =
      Dataset::from_rows(std::vector<double>{0.1, 1, 0.1, 2, 0.1, 5}, 3, 2).with_names({"same", "other"});
  const auto [chain, table, warnings] = transformed(data, "standardize");
  EXPECT_THAT(warnings, ElementsAre("standardize: 'same' is constant and became 0"));
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(table.value(row, 0), 0.0);
  EXPECT_EQ(apply(chain, Dataset::from_rows(std::vector<double>{0.6, 1}, 1, 2)).value(0, 0), 0.5);
  const auto one = transformed(Dataset::from_rows(std::vector<double>{3, 4, 5, 6, 7, 8, 9}, 1, 7), "standardize");
  EXPECT_THAT(one.warnings,
              ElementsAre("standardize: 'x1', 'x2', 'x3', 'x4', 'x5' and 2 more are constant and became 0"));
}

TEST(Standardize, RefusesSparseRows) {
  const Dataset sparse = sparse_pair(10, 6).sparse;
  EXPECT_THAT(message_of<OptionError>([&] { (void)transformed(sparse, "standardize"); }),
              HasSubstr("standardize would fill all 6 columns of the sparse rows; use normalize"));
}

TEST(Normalize, GivesRowsOfLengthOne) {
  const Dataset data = Dataset::from_rows(std::vector<double>{3, -4, 0, 0, 3e-320, 4e-320, 3e300, 4e300}, 4, 2);
  const auto [chain, table, warnings] = transformed(data, "normalize");
  EXPECT_DOUBLE_EQ(table.value(0, 0), 0.6);
  EXPECT_DOUBLE_EQ(table.value(0, 1), -0.8);
  EXPECT_EQ(table.value(1, 0), 0.0);
  EXPECT_EQ(table.value(1, 1), 0.0);
  EXPECT_NEAR(table.value(2, 0), 0.6, 1e-3) << "numbers that small have few digits";
  EXPECT_DOUBLE_EQ(table.value(3, 1), 0.8);
  EXPECT_THAT(warnings, ElementsAre("normalize: 1 row has only zeros and stays zero"));
  EXPECT_EQ(chain.inverse_kind(), Inverse::none);
}

TEST(Log1p, TakesLogarithmsAndBack) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 1e-20, std::exp(3.0) - 1, -0.5}, 2, 2);
  const FittedTransforms fitted = transformed(data, "log1p");
  const Transforms& chain = fitted.chain;
  const Dataset& table = fitted.data;
  EXPECT_EQ(table.value(0, 0), 0.0);
  EXPECT_EQ(table.value(0, 1), 1e-20);
  EXPECT_NEAR(table.value(1, 0), 3.0, 1e-15);
  EXPECT_THAT(chain.inverse({3.0, -std::log(2.0)}),
              ElementsAre(DoubleNear(std::exp(3.0) - 1, 1e-13), DoubleNear(-0.5, 1e-15)));
  const Dataset bad = Dataset::from_rows(std::vector<double>{1, 2, 3, -1}, 2, 2).with_names({"a", "b"});
  EXPECT_EQ(message_of<DataError>([&] { (void)apply(chain, bad); }),
            "row 2 (counted from 1), column 'b': log1p needs values above -1, and this one is -1");
}

TEST(Binarize, ComparesWithTheThreshold) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 0.5, 0.75, -3}, 2, 2);
  EXPECT_EQ(transformed(data, "binarize").data, Dataset::from_rows(std::vector<double>{0, 1, 1, 0}, 2, 2));
  EXPECT_EQ(transformed(data, "binarize:0.5").data, Dataset::from_rows(std::vector<double>{0, 0, 1, 0}, 2, 2));
  const Dataset below = transformed(data, "binarize:-1").data;
  EXPECT_EQ(below, Dataset::from_rows(std::vector<double>{1, 1, 1, 0}, 2, 2));
  EXPECT_EQ(below.columns()[0].kind, ColumnKind::binary);
  const Dataset sparse = sparse_pair(10, 6).sparse;
  EXPECT_THAT(message_of<OptionError>([&] { (void)transformed(sparse, "binarize:-0.5"); }),
              HasSubstr("binarize:-0.5 would turn every 0 of the sparse rows into 1"));
}

// A sum of squares of D numbers from N(0, |x|^2 / D) has mean |x|^2 and variance 2 |x|^4 / D: 5 standard deviations.
TEST(Project, KeepsDistances) {
  const Dataset data = correlated_rows(40, 30, 0.95);
  const Dataset table = transformed(data, "project:400", 1, 3).data;
  ASSERT_EQ(table.n_columns(), 400U);
  EXPECT_EQ(table.columns()[399].name, "p400");
  double sum_of_ratios = 0.0;
  for (std::size_t row = 1; row < 40; ++row) {
    double before = 0.0;
    double after = 0.0;
    for (std::size_t c = 0; c < 30; ++c) before += std::pow(data.value(row, c) - data.value(0, c), 2);
    for (std::size_t c = 0; c < 400; ++c) after += std::pow(table.value(row, c) - table.value(0, c), 2);
    EXPECT_NEAR(after / before, 1.0, 5.0 * std::sqrt(2.0 / 400.0));
    sum_of_ratios += after / before;
  }
  EXPECT_NEAR(sum_of_ratios / 39.0, 1.0, 5.0 * std::sqrt(2.0 / 400.0));
}

TEST(Project, IsLinearAndDependsOnTheSeedAlone) {
  const Dataset data = correlated_rows(10, 5, 0.9);
  const auto [chain, table, warnings] = transformed(data, "project:3", 1, 8);
  EXPECT_EQ(transformed(correlated_rows(4, 5, 0.1, 9), "project:3", 1, 8).chain, chain);
  EXPECT_FALSE(transformed(data, "project:3", 1, 9).chain == chain);
  EXPECT_GT(largest_difference(transformed(data, "project:3", 1, 9).data, table), 0.1);
  const Dataset unit = apply(chain, Dataset::from_rows(std::vector<double>{1, 0, 0, 0, 0, 0, 1, 0, 0, 0}, 2, 5));
  const Dataset both = apply(chain, Dataset::from_rows(std::vector<double>{2, -3, 0, 0, 0}, 1, 5));
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(both.value(0, c), 2 * unit.value(0, c) - 3 * unit.value(1, c), 1e-15);
  }
  // Frozen: saved models hold the seed alone.
  EXPECT_NEAR(unit.value(0, 0), -0.73549347779801955, 1e-12);
}

TEST(Project, StepsOfOneChainDrawTheirOwnNumbers) {
  const Dataset unit = Dataset::from_rows(std::vector<double>{1, 0, 0, 1}, 2, 2);
  const Dataset once = transformed(unit, "project:2").data;
  const Dataset twice = transformed(unit, "project:2,project:2").data;
  std::vector<double> square(4, 0.0);  // once times once: what two equal steps would give
  for (std::size_t at = 0; at < 4; ++at) {
    for (std::size_t k = 0; k < 2; ++k) square[at] += once.value(at / 2, k) * once.value(k, at % 2);
  }
  EXPECT_GT(largest_difference(twice, Dataset::from_rows(square, 2, 2)), 0.01);
}

TEST(Transforms, SparseRowsGiveWhatDenseOnesGive) {
  const auto [sparse, dense] = sparse_pair(200, 12);
  for (const char* steps : {"normalize", "log1p", "binarize", "binarize:2", "project:4", "pca:3",
                            "log1p,normalize,pca:5", "normalize,project:7,standardize"}) {
    const auto from_sparse = transformed(sparse, steps, 1, 4);
    const auto from_dense = transformed(dense, steps, 1, 4);
    EXPECT_LT(largest_difference(from_sparse.data, from_dense.data), 1e-12) << steps;
    EXPECT_LT(largest_difference(apply(from_dense.chain, sparse), from_dense.data), 1e-12) << steps;
    EXPECT_EQ(from_sparse.warnings, from_dense.warnings) << steps;
  }
  EXPECT_TRUE(transformed(sparse, "normalize,log1p,binarize").data.is_sparse());
  EXPECT_FALSE(transformed(sparse, "project:2").data.is_sparse());
}

TEST(Transforms, KeepWeightsNamesAndStorage) {
  std::vector<float> values;
  for (const double value : correlated_values(30, 3, 0.7)) values.push_back(static_cast<float>(std::abs(value)));
  std::vector<double> weights(30, 1.5);
  std::vector<std::string> ids(30, "row");
  const Dataset data =
      Dataset::from_rows(values, 30, 3).with_names({"a", "b", "c"}).with_weights(weights).with_ids(ids);
  for (const char* step : all_steps) {
    const Dataset table = transformed(data, step).data;
    EXPECT_EQ(table.storage(), Storage::float32) << step;
    EXPECT_EQ(table.weights(), weights) << step;
    EXPECT_EQ(table.ids(), ids) << step;
    if (table.n_columns() == 3) {
      EXPECT_EQ(table.columns()[2].name, "c") << step;
    }
  }
  EXPECT_EQ(transformed(data, "pca:2").data.columns()[1].name, "pc2");
}

// More rows than a block, so that several threads have work.
TEST(Transforms, ThreadsDoNotMatter) {
  Dataset data = correlated_rows(9000, 4, 0.8);
  std::vector<double> weights(9000);
  for (std::size_t row = 0; row < 9000; ++row) weights[row] = static_cast<double>(row % 4) / 3.0;
  data = data.with_weights(weights);
  for (const char* steps : {"standardize", "standardize,pca:2", "normalize,project:3", "pca:3,binarize"}) {
    const auto one = transformed(data, steps, 1);
    const auto three = transformed(data, steps, 3);
    EXPECT_EQ(one.chain, three.chain) << steps;
    EXPECT_EQ(one.data, three.data) << steps;
    EXPECT_EQ(apply(one.chain, data, 3), one.data) << steps;
  }
}

TEST(Transforms, AWeightIsANumberOfCopies) {
  std::vector<double> weights = {2, 0, 1, 3, 0, 1, 1, 2};
  const Dataset data = correlated_rows(8, 3, 0.6).with_weights(weights);
  for (const char* steps : {"standardize", "pca:2", "standardize,pca:3"}) {
    const Transforms weighted = transformed(data, steps).chain;
    const Transforms copies = transformed(repeated(data), steps).chain;
    EXPECT_LT(largest_difference(apply(weighted, data), apply(copies, data)), 1e-12) << steps;
    const Dataset without = correlated_rows(8, 3, 0.6);
    EXPECT_GT(largest_difference(apply(transformed(without, steps).chain, data), apply(copies, data)), 1e-3) << steps;
  }
}

TEST(Transforms, TheOrderOfRowsDoesNotMatter) {
  const Dataset data = correlated_rows(500, 4, 0.6);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  std::vector<double> backwards;
  for (std::size_t row = 500; row-- > 0;) {
    backwards.insert(backwards.end(), values.begin() + static_cast<std::ptrdiff_t>(row * 4),
                     values.begin() + static_cast<std::ptrdiff_t>(row * 4 + 4));
  }
  const Dataset turned = Dataset::from_rows(backwards, 500, 4);
  for (const char* steps : {"standardize", "standardize,pca:4"}) {
    EXPECT_LT(largest_difference(apply(transformed(turned, steps).chain, data), transformed(data, steps).data), 1e-12);
  }
}

// What a row becomes is its own affair: rows alone, or at another place, give the same bits.
TEST(Transforms, RowsAreTransformedOneByOne) {
  const Dataset data = correlated_rows(700, 9, 0.9);
  for (const char* steps : {"standardize,normalize", "pca:1", "pca:5", "project:6"}) {
    const auto [chain, table, warnings] = transformed(data, steps);
    for (const std::size_t row : {0U, 3U, 255U, 256U, 511U, 698U, 699U}) {
      const auto first = data.doubles().begin() + static_cast<std::ptrdiff_t>(row * 9);
      const Dataset alone = apply(chain, Dataset::from_rows(std::vector<double>(first, first + 9), 1, 9));
      for (std::size_t c = 0; c < table.n_columns(); ++c) EXPECT_EQ(alone.value(0, c), table.value(row, c)) << steps;
    }
  }
}

TEST(Transforms, InversesGoBack) {
  std::vector<double> values;
  for (const double value : correlated_values(50, 3, 0.7)) values.push_back(std::abs(value));
  const Dataset positive = Dataset::from_rows(values, 50, 3);
  for (const char* steps : {"standardize", "log1p", "pca:3", "log1p,standardize,pca:3"}) {
    const auto [chain, table, warnings] = transformed(positive, steps);
    EXPECT_EQ(chain.inverse_kind(), Inverse::exact) << steps;
    for (std::size_t row = 0; row < 50; ++row) {
      const std::vector<double> back = chain.inverse({table.value(row, 0), table.value(row, 1), table.value(row, 2)});
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(back[c], positive.value(row, c), 1e-12) << steps;
    }
  }
  EXPECT_EQ(transformed(positive, "pca:2").chain.inverse_kind(), Inverse::approximate);
  EXPECT_EQ(transformed(positive, "standardize,pca:2").chain.inverse_kind(), Inverse::approximate);
  EXPECT_EQ(transformed(positive, "pca:2,project:2").chain.inverse_kind(), Inverse::none);
  EXPECT_EQ(transformed(positive, "binarize,standardize").chain.inverse_kind(), Inverse::none);
}

// From the mean, the way to a row may be longer than the largest double.
TEST(Transforms, InversesGoBackAcrossTheWholeRange) {
  const std::vector<double> values{1.7e308, 1.7e308, 1.7e308, 1.5e308, -1.4e308, 1e12};
  const Dataset data = Dataset::from_rows(values, values.size(), 1);
  for (const char* spec :
       {"standardize", "standardize,pca:1", "drop-constant,standardize", "standardize,standardize"}) {
    const auto [chain, table, warnings] = transformed(data, spec);
    for (std::size_t row = 0; row < values.size(); ++row) {
      EXPECT_NEAR(chain.inverse({table.value(row, 0)})[0], values[row], 1e-14 * 1.7e308) << spec << ", row " << row;
    }
  }
}

// On the way back from one direction a row may lie beyond all of the table, and of what a double holds.
TEST(Transforms, InversesStayWithinTheRange) {
  const std::vector<double> values{2.9, 1.7e308, -4.6, 1.7e308, 0.6, 1.06e308, 2.2, 1.7e308};
  const Dataset table = Dataset::from_rows(values, 4, 2);
  const Transforms chain = transformed(table, "standardize,pca:1").chain;
  for (const double score : {-4.0, 4.0}) {
    for (const double value : chain.inverse({score})) EXPECT_TRUE(std::isfinite(value)) << score;
  }
  const Transforms of_counts = transformed(Dataset::from_rows(std::vector{1.0, 2.0}, 2, 1), "log1p").chain;
  EXPECT_EQ(of_counts.inverse({1000.0})[0], std::numeric_limits<double>::max());
}

TEST(Transforms, RefuseTablesThatTheyCannotTake) {
  const double gap = std::nan("");
  const Dataset gaps = Dataset::from_rows_with_gaps(std::vector<double>{1, gap, 2, 3}, 2, 2);
  const Dataset rows = correlated_rows(4, 2, 0.5);
  const Dataset words = rows.with_categories({{"species", {"x"}, {0, 0, 0, 0}}}).with_names({"a", "b"});
  for (const char* step : all_steps) {
    EXPECT_THAT(message_of<DataError>([&] { (void)transformed(gaps, step); }), HasSubstr("entries are missing"));
    EXPECT_EQ(message_of<OptionError>([&] { (void)transformed(words, step); }),
              "column 'species' holds words, and transforms take numbers only; choose the numeric ones with columns "
              "a,b");
    EXPECT_THAT(
        message_of<DataError>([&] { (void)transformed(Dataset::from_rows(std::vector<double>{}, 0, 2), step); }),
        HasSubstr("the table is empty"));
    EXPECT_THAT(message_of<DataError>([&] {
                  (void)transformed(rows.with_weights({0, 0, 0, 0}), step);
                }),
                HasSubstr("all rows weigh 0"));
  }
  const Transforms chain = transformed(rows, "standardize").chain;
  EXPECT_THAT(message_of<DataError>([&] { (void)apply(chain, gaps); }), HasSubstr("entries are missing"));
  EXPECT_EQ(message_of<DataError>([&] { (void)apply(chain, correlated_rows(4, 3, 0.5)); }),
            "the data has 3 columns, but standardize was learnt from 2; choose them with columns");
  LocalExecution local(1);
  EXPECT_THROW((void)fit_transforms(local.get(), {{"pca"}}, rows), OptionError);
  EXPECT_THROW((void)fit_transforms(local.get(), {{"pca", 1.5}}, rows), OptionError);
  EXPECT_THROW((void)fit_transforms(local.get(), {{"nothing"}}, rows), OptionError);
}

TEST(Transforms, NameWhatOverflows) {
  const Dataset tiny = Dataset::from_rows(std::vector<float>{0, 0, 1, 1e-30F}, 2, 2);
  const Dataset far = Dataset::from_rows(std::vector<float>{1, 0, 1, 3e38F}, 2, 2).with_names({"a", "b"});
  EXPECT_THAT(
      message_of<DataError>([&] { (void)apply(transformed(tiny, "standardize").chain, far); }),
      AllOf(HasSubstr("row 2 (counted from 1), column 'b': standardize gives"), HasSubstr("too large for float32")));
  const Transforms pca = transformed(correlated_rows(9, 3, 1.0), "pca:1").chain;
  const std::vector<double> direction = pca.records()[0].arrays.at("components").values;
  std::vector<double> along;
  for (const double entry : direction) along.push_back(std::copysign(1.7e308, entry));
  EXPECT_THAT(
      message_of<DataError>([&] { (void)apply(pca, Dataset::from_rows(along, 1, 3)); }),
      AllOf(HasSubstr("row 1 (counted from 1), column 'pc1': pca:1 gives inf"), HasSubstr("too large for float64")));
}

TEST(Transforms, RecordsMakeTheSameChainAgain) {
  std::vector<double> values;
  for (const double value : correlated_values(60, 5, 0.8)) values.push_back(std::abs(value));
  const Dataset data = Dataset::from_rows(values, 60, 5);
  for (const char* steps : {"standardize", "normalize", "log1p", "binarize:0.1", "pca:2", "project:3",
                            "log1p,standardize,pca:3,project:2,normalize,binarize"}) {
    const auto [chain, table, warnings] = transformed(data, steps, 1, 77);
    const Transforms back = Transforms::from_records(chain.input_columns(), chain.records());
    EXPECT_EQ(back, chain) << steps;
    EXPECT_EQ(back.to_string(), steps);
    EXPECT_EQ(back.n_output_columns(), table.n_columns());
    EXPECT_EQ(apply(back, data), table) << steps;
  }
}

TEST(Transforms, RefuseRecordsThatDoNotFit) {
  const Dataset data = correlated_rows(20, 3, 0.7);
  const Transforms chain = transformed(data, "standardize,pca:2").chain;
  const auto refusal_after = [&](auto&& change) {
    std::vector<TransformRecord> records = chain.records();
    change(records);
    try {
      (void)Transforms::from_records(chain.input_columns(), records);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using Records = std::vector<TransformRecord>;
  EXPECT_EQ(refusal_after([](Records&) {}), "");
  EXPECT_THAT(refusal_after([](Records& r) { r[0].spec = "whiten"; }), HasSubstr("no transform 'whiten'"));
  EXPECT_THAT(refusal_after([](Records& r) { r[0].spec = "standardize,log1p"; }), HasSubstr("is not one transform"));
  EXPECT_THAT(refusal_after([](Records& r) { r[0].arrays.erase("mean"); }), HasSubstr("lacks its array 'mean'"));
  EXPECT_THAT(refusal_after([](Records& r) { r[0].arrays["deviation"].values[1] = 0.0; }), HasSubstr("not positive"));
  EXPECT_THAT(refusal_after([](Records& r) { r[1].spec = "pca:3"; }),
              HasSubstr("has the shape (2, 3), expected (3, 3)"));
  EXPECT_THAT(refusal_after([](Records& r) { std::swap(r[0], r[1]); }), HasSubstr("has the shape (3), expected (2)"));
  EXPECT_THAT(refusal_after([](Records& r) { r[1].arrays["mean"].shape = {3, 1}; }), HasSubstr("shape (3, 1)"));
}

}  // namespace
}  // namespace coppice::internal
