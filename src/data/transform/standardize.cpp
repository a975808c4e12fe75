// SPDX-License-Identifier: BSD-3-Clause
// standardize: x -> (x - mean) / standard deviation, column by column.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/data/some_columns.hpp"
#include "data/transform/column_ranges.hpp"
#include "data/transform/step.hpp"
#include "data/transform/value_map.hpp"

namespace coppice::internal {

namespace {

struct Scales {
  std::vector<double> mean;
  std::vector<double> deviation;
};

class Standardize final : public TransformStep {
 public:
  explicit Standardize(Scales scales) : scales_(std::move(scales)) {}

  [[nodiscard]] std::string spec() const override { return "standardize"; }
  [[nodiscard]] TransformRecord record() const override {
    const std::vector<std::size_t> shape = {scales_.mean.size()};
    return {.spec = spec(), .arrays = {{"mean", {shape, scales_.mean}}, {"deviation", {shape, scales_.deviation}}}};
  }
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const override {
    refuse_sparse(data);
    return map_values(execution, data, spec(), [&](std::size_t /*row*/, std::size_t column, double value) {
      const double mean = scales_.mean[column];
      const double deviation = scales_.deviation[column];
      const double centred = value - mean;
      if (std::isfinite(centred)) return centred / deviation;
      return 2.0 * ((value / 2.0 - mean / 2.0) / deviation);  // the difference alone does not fit a double
    });
  }
  [[nodiscard]] Inverse inverse_kind() const override { return Inverse::exact; }
  [[nodiscard]] std::vector<double> inverse(std::vector<double> point) const override {
    for (std::size_t column = 0; column < point.size();
         ++column) {  // halves: the way from the mean may not fit a double
      point[column] = 2.0 * (point[column] * (scales_.deviation[column] / 2.0) + scales_.mean[column] / 2.0);
    }
    return point;
  }

  static void refuse_sparse(const Dataset& data) {
    if (!data.is_sparse()) return;
    throw OptionError(
        fmt::format("standardize would fill all {} columns of the sparse rows; use normalize or log1p, which keep "
                    "zeros, or pca:50 first, which centres by itself",
                    data.n_columns()));
  }

 private:
  Scales scales_;
};

// Means first, then the squares around them, of numbers brought near 1 by a power of two per column: neither large nor
// small ones are lost.
Scales measure(const Execution& execution, const Dataset& data, const ColumnRanges& ranges) {
  const std::size_t n_columns = data.n_columns();
  const std::vector<double> mean = scaled_means(execution, data, ranges);
  const Blocks blocks{.n_items = data.n_rows()};
  const OrderedSum sum{.size = n_columns,
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
                               const double weight = data.weight(row) * ranges.weight_factor;
                               if (weight == 0.0) continue;
                               for (std::size_t column = 0; column < n_columns; ++column) {
                                 const double centred = data.value(row, column) * ranges.factor[column] - mean[column];
                                 total[column] += weight * centred * centred;
                               }
                             }
                           },
                       .merge = add_all};
  const std::vector<double> total = ordered_sum(execution, blocks, sum);
  Scales scales{std::vector<double>(n_columns), std::vector<double>(n_columns)};
  for (std::size_t column = 0; column < n_columns; ++column) {
    scales.mean[column] = mean[column] / ranges.factor[column];
    scales.deviation[column] = std::sqrt(total[column] / ranges.total_weight) / ranges.factor[column];
  }
  return scales;
}

LearntStep learn(const Lesson& lesson) {
  Standardize::refuse_sparse(lesson.data);
  const ColumnRanges ranges = column_ranges(lesson.execution, lesson.data);
  Scales scales = measure(lesson.execution, lesson.data, ranges);
  std::vector<std::size_t> constant;
  for (std::size_t column = 0; column < lesson.data.n_columns(); ++column) {
    const bool is_constant = ranges.low[column] == ranges.high[column];
    if (!is_constant && scales.deviation[column] > 0.0) continue;
    if (is_constant) scales.mean[column] = ranges.low[column];
    scales.deviation[column] = 1.0;
    constant.push_back(column);
  }
  LearntStep learnt{std::make_shared<Standardize>(std::move(scales))};
  if (!constant.empty()) {
    learnt.warnings.push_back(fmt::format("standardize: {} {} constant and became 0",
                                          some_columns(lesson.data, constant), constant.size() == 1 ? "is" : "are"));
  }
  return learnt;
}

std::shared_ptr<const TransformStep> load(const SavedStep& saved) {
  Scales scales{saved.array("mean", {saved.n_columns}), saved.array("deviation", {saved.n_columns})};
  if (!std::ranges::all_of(scales.deviation, [](double deviation) { return deviation > 0.0; })) {
    throw DataError("a standard deviation of the transform standardize is not positive");
  }
  return std::make_shared<Standardize>(std::move(scales));
}

}  // namespace

StepKind standardize_kind() { return {"standardize", StepParameter::none, learn, load}; }

}  // namespace coppice::internal
