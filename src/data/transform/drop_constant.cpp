// SPDX-License-Identifier: BSD-3-Clause
// drop-constant: leaves out columns that hold the same value in every row.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "coppice/data/some_columns.hpp"
#include "coppice/runtime/error.hpp"
#include "data/transform/column_ranges.hpp"
#include "data/transform/step.hpp"

namespace coppice::internal {

namespace {

class DropConstant final : public TransformStep {
 public:
  // For every column of the input whether it is kept (1) or dropped (0), and the value of those that are dropped.
  DropConstant(std::vector<double> is_kept, std::vector<double> value)
      : is_kept_(std::move(is_kept)), value_(std::move(value)) {}

  [[nodiscard]] std::string spec() const override { return "drop-constant"; }
  [[nodiscard]] TransformRecord record() const override {
    const std::vector<std::size_t> shape = {value_.size()};
    return {.spec = spec(), .arrays = {{"is_kept", {shape, is_kept_}}, {"value", {shape, value_}}}};
  }
  [[nodiscard]] std::size_t n_output_columns(std::size_t /*n_input_columns*/) const override {
    return static_cast<std::size_t>(std::ranges::count(is_kept_, 1.0));
  }
  [[nodiscard]] Dataset apply(const Execution& /*execution*/, const Dataset& data) const override {
    std::vector<std::string> numbers;  // names may come twice
    std::vector<std::string> kept;
    std::vector<std::string> names_of_kept;
    for (std::size_t column = 0; column < is_kept_.size(); ++column) {
      numbers.push_back(std::to_string(column + 1));
      if (is_kept_[column] != 1.0) continue;
      kept.push_back(numbers.back());
      names_of_kept.push_back(data.columns()[column].name);
    }
    if (kept.size() == is_kept_.size()) return data;
    return data.with_names(std::move(numbers)).select_columns(kept).with_names(std::move(names_of_kept));
  }
  [[nodiscard]] Inverse inverse_kind() const override { return Inverse::exact; }
  [[nodiscard]] std::vector<double> inverse(std::vector<double> point) const override {
    std::vector<double> full = value_;
    auto next = point.begin();
    for (std::size_t column = 0; column < full.size(); ++column) {
      if (is_kept_[column] == 1.0) full[column] = *next++;
    }
    return full;
  }

 private:
  std::vector<double> is_kept_;
  std::vector<double> value_;
};

LearntStep learn(const Lesson& lesson) {
  const ColumnRanges ranges = column_ranges(lesson.execution, lesson.data);
  const std::size_t n_columns = lesson.data.n_columns();
  std::vector<double> is_kept(n_columns, 1.0);
  std::vector<double> value(n_columns, 0.0);
  std::vector<std::size_t> dropped;
  for (std::size_t column = 0; column < n_columns; ++column) {
    if (ranges.low[column] != ranges.high[column]) continue;
    is_kept[column] = 0.0;
    value[column] = ranges.low[column];
    dropped.push_back(column);
  }
  if (dropped.size() == n_columns) {
    throw DataError("drop-constant leaves nothing: every column holds the same value in every row");
  }
  LearntStep learnt{std::make_shared<DropConstant>(std::move(is_kept), std::move(value))};
  if (!dropped.empty()) {
    learnt.warnings.push_back(fmt::format("{} {} constant and left out: {} no cluster from another",
                                          some_columns(lesson.data, dropped), dropped.size() == 1 ? "is" : "are",
                                          dropped.size() == 1 ? "it tells" : "they tell"));
  }
  return learnt;
}

std::shared_ptr<const TransformStep> load(const SavedStep& saved) {
  std::vector<double> is_kept = saved.array("is_kept", {saved.n_columns});
  const auto is_flag = [](double value) { return value == 0.0 || value == 1.0; };
  if (!std::ranges::all_of(is_kept, is_flag) || std::ranges::count(is_kept, 1.0) == 0) {
    throw DataError("the transform drop-constant does not say which columns it keeps");
  }
  return std::make_shared<DropConstant>(std::move(is_kept), saved.array("value", {saved.n_columns}));
}

}  // namespace

StepKind drop_constant_kind() { return {"drop-constant", StepParameter::none, learn, load}; }

}  // namespace coppice::internal
