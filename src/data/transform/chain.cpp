// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "coppice/data/choosing_numbers.hpp"
#include "coppice/data/decimals.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "data/transform/step.hpp"

namespace coppice {
using namespace internal;

namespace {

void check_complete(const Dataset& data) {
  if (data.has_missing()) {
    throw DataError("entries are missing, and transforms take complete rows only; remove or fill them");
  }
}

void check_learnable(const Dataset& data) {
  check_complete(data);
  if (!data.categories().empty()) {
    throw OptionError(format_text("column '{}' holds words, and transforms take numbers only; {}",
                                  data.categories().front().name, how_to_choose_numbers(data)));
  }
  if (data.n_rows() == 0 || data.n_columns() == 0) {
    throw DataError("the table is empty; at least one row and one column are needed");
  }
  if (!data.weights().empty() && std::ranges::all_of(data.weights(), [](double weight) { return weight == 0.0; })) {
    throw DataError("all rows weigh 0; at least one weight must be positive");
  }
}

TransformSpec single_spec(const std::string& text) {
  std::vector<TransformSpec> specs = parse_transforms(text);
  if (specs.size() != 1) throw DataError(fmt::format("'{}' is not one transform", text));
  return std::move(specs.front());
}

}  // namespace

Transforms::Transforms(std::vector<Column> input_columns, std::vector<std::shared_ptr<const TransformStep>> steps)
    : input_columns_(std::move(input_columns)), steps_(std::move(steps)) {}

Transforms Transforms::from_records(std::vector<Column> input_columns, const std::vector<TransformRecord>& records) {
  std::vector<std::shared_ptr<const TransformStep>> steps;
  std::size_t n_columns = input_columns.size();
  for (const TransformRecord& record : records) {
    const TransformSpec spec = single_spec(record.spec);
    steps.push_back(find_step_kind(spec.name)->load({record, spec, n_columns, steps.size()}));
    n_columns = steps.back()->n_output_columns(n_columns);
  }
  return {std::move(input_columns), std::move(steps)};
}

std::vector<TransformRecord> Transforms::records() const {
  std::vector<TransformRecord> records;
  for (const auto& step : steps_) records.push_back(step->record());
  return records;
}

std::string Transforms::to_string() const {
  std::vector<std::string> specs;
  for (const auto& step : steps_) specs.push_back(step->spec());
  return fmt::format("{}", fmt::join(specs, ","));
}

std::size_t Transforms::n_output_columns() const {
  std::size_t n_columns = input_columns_.size();
  for (const auto& step : steps_) n_columns = step->n_output_columns(n_columns);
  return n_columns;
}

Transforms Transforms::then(const Transforms& next) const {
  if (empty()) return next;
  Transforms both = *this;
  both.steps_.insert(both.steps_.end(), next.steps_.begin(), next.steps_.end());
  return both;
}

Dataset Transforms::apply(const Execution& execution, const Dataset& data) const {
  if (empty()) return data;
  if (data.n_columns() != input_columns_.size()) {
    throw DataError(format_text("the data has {}, but {} was learnt from {}; choose them with {columns}",
                                counted(data.n_columns(), "column"), to_string(), input_columns_.size()));
  }
  check_complete(data);
  Dataset table = data;
  for (const auto& step : steps_) table = step->apply(execution, table);
  return table;
}

Inverse Transforms::inverse_kind() const {
  Inverse worst = Inverse::exact;
  for (const auto& step : steps_) worst = std::max(worst, step->inverse_kind());
  return worst;
}

std::vector<double> Transforms::inverse(std::vector<double> point) const {
  constexpr double most = std::numeric_limits<double>::max();
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    point = (*step)->inverse(std::move(point));
    for (double& value : point) value = std::clamp(value, -most, most);
  }
  return point;
}

// Steps are shared by copies, and records hold whole matrices: those are made last.
bool operator==(const Transforms& a, const Transforms& b) {
  return a.input_columns_ == b.input_columns_ && (a.steps_ == b.steps_ || a.records() == b.records());
}

FittedTransforms fit_transforms(const Execution& execution, const std::vector<TransformSpec>& specs,
                                const Dataset& data, std::uint64_t seed) {
  if (specs.empty()) return {{}, data, {}};
  check_learnable(data);
  std::vector<std::shared_ptr<const TransformStep>> steps;
  Dataset table = data;
  std::vector<Text> warnings;
  for (const TransformSpec& given : specs) {
    const TransformSpec spec = single_spec(given.to_string());  // it need not come from parse_transforms
    LearntStep learnt = find_step_kind(spec.name)->learn({execution, spec, table, seed, steps.size()});
    table = learnt.step->apply(execution, table);
    warnings.insert(warnings.end(), learnt.warnings.begin(), learnt.warnings.end());
    steps.push_back(std::move(learnt.step));
  }
  return {Transforms(with_decimals(data), std::move(steps)), std::move(table), std::move(warnings)};
}

}  // namespace coppice
