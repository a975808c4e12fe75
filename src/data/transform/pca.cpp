// SPDX-License-Identifier: BSD-3-Clause
// pca:D: x -> (x - mean) V, the coordinates along the D directions in which the rows vary most.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "data/transform/linear_map.hpp"
#include "data/transform/principal_directions.hpp"
#include "data/transform/step.hpp"

namespace coppice::internal {

namespace {

// Less variance than this share of the first direction's is rounding: such a direction is arbitrary.
constexpr double negligible_share = 1e-13;

struct Axes {
  std::vector<double> mean;
  std::vector<double> directions;       // one after the other
  std::vector<double> explained_ratio;  // their shares of the whole variance
};

class Pca final : public TransformStep {
 public:
  Pca(TransformSpec spec, Axes axes)
      : spec_(std::move(spec)), axes_(std::move(axes)), by_column_(axes_.directions.size()) {
    const std::size_t n_columns = axes_.mean.size();
    const std::size_t n_outputs = axes_.explained_ratio.size();
    for (std::size_t output = 0; output < n_outputs; ++output) {
      for (std::size_t column = 0; column < n_columns; ++column) {
        by_column_[column * n_outputs + output] = axes_.directions[output * n_columns + column];
      }
    }
  }

  [[nodiscard]] std::string spec() const override { return spec_.to_string(); }
  [[nodiscard]] TransformRecord record() const override {
    const std::size_t n_columns = axes_.mean.size();
    const std::size_t n_outputs = axes_.explained_ratio.size();
    return {.spec = spec(),
            .arrays = {{"mean", {{n_columns}, axes_.mean}},
                       {"components", {{n_outputs, n_columns}, axes_.directions}},
                       {"explained_variance_ratio", {{n_outputs}, axes_.explained_ratio}}}};
  }
  [[nodiscard]] std::size_t n_output_columns(std::size_t /*n_input_columns*/) const override {
    return axes_.explained_ratio.size();
  }
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const override {
    const LinearMap map{.matrix = by_column_, .n_outputs = axes_.explained_ratio.size(), .centre = axes_.mean};
    return map_rows(execution, data, map, "pc", spec());
  }

  // With as many directions as columns nothing is lost, unless a direction without variance was left out.
  [[nodiscard]] Inverse inverse_kind() const override {
    const bool is_whole = axes_.explained_ratio.size() == axes_.mean.size() &&
                          std::ranges::all_of(axes_.explained_ratio, [](double share) { return share > 0.0; });
    return is_whole ? Inverse::exact : Inverse::approximate;
  }
  [[nodiscard]] std::vector<double> inverse(std::vector<double> point) const override {
    std::vector<double> back;
    for (std::size_t column = 0; column < axes_.mean.size(); ++column) {  // halves: the way from the mean may not fit
      double half = axes_.mean[column] / 2.0;
      for (std::size_t output = 0; output < point.size(); ++output) {
        half += point[output] / 2.0 * by_column_[column * point.size() + output];
      }
      back.push_back(2.0 * half);
    }
    return back;
  }

 private:
  TransformSpec spec_;
  Axes axes_;
  std::vector<double> by_column_;  // the directions again, as rows are multiplied with them
};

// A direction and its opposite are the same: the largest entry is positive. Among entries as large up to rounding the
// first decides, so that no rounding does.
void fix_sign(std::span<double> direction) {
  double largest = 0.0;
  for (const double entry : direction) largest = std::max(largest, std::abs(entry));
  const auto deciding =
      std::ranges::find_if(direction, [&](double entry) { return std::abs(entry) >= largest * (1.0 - 1e-6); });
  if (deciding == direction.end() || *deciding >= 0.0) return;
  for (double& entry : direction) entry = -entry;
}

void check_dimensions(std::size_t n_directions, const CentredRows& rows, const TransformSpec& spec) {
  const std::size_t most = std::min(rows.n_rows, rows.data.n_columns());
  if (n_directions <= most) return;
  throw OptionError(fmt::format("{}: {} of {} hold at most {}; choose pca:1 to pca:{}", spec.to_string(),
                                counted(rows.n_rows, "row"), counted(rows.data.n_columns(), "column"),
                                counted(most, "direction"), most));
}

// By the shape of the table: products of rows where these are few, the covariance where columns are, sampling where
// both are many.
PrincipalDirections directions(const Lesson& lesson, const CentredRows& rows, std::size_t n_directions) {
  const std::size_t n_columns = lesson.data.n_columns();
  const std::size_t n_rows = lesson.data.n_rows();
  if (n_rows < n_columns && n_rows <= most_rows_for_products && !lesson.data.is_sparse()) {
    return directions_of_few_rows(rows, n_directions);
  }
  if (n_columns <= most_columns_for_covariance) return directions_of_covariance(lesson.execution, rows, n_directions);
  return directions_by_sampling(lesson.execution, rows, n_directions, lesson.seed, lesson.place);
}

LearntStep learn(const Lesson& lesson) {
  const CentredRows rows = CentredRows::make(lesson.execution, lesson.data);
  const auto n_directions = static_cast<std::size_t>(*lesson.spec.parameter);
  const std::size_t n_columns = lesson.data.n_columns();
  check_dimensions(n_directions, rows, lesson.spec);
  PrincipalDirections found = directions(lesson, rows, n_directions);
  Axes axes{rows.mean, std::move(found.directions), std::vector<double>(n_directions, 0.0)};
  std::size_t n_empty = 0;
  for (std::size_t i = 0; i < n_directions; ++i) {
    const auto direction = std::span(axes.directions).subspan(i * n_columns, n_columns);
    const bool is_empty = !(found.variances[i] > negligible_share * found.variances[0]);
    if (is_empty) {
      std::ranges::fill(direction, 0.0);
      ++n_empty;
    } else {
      fix_sign(direction);
      axes.explained_ratio[i] = std::min(1.0, found.variances[i] / found.total_variance);
    }
  }
  LearntStep learnt{std::make_shared<Pca>(lesson.spec, std::move(axes))};
  if (n_empty > 0) {
    learnt.warnings.push_back(fmt::format(
        "{}: the rows vary in {} {} only (the rest is rounding beside the first); the last {} of its columns {} 0",
        lesson.spec.to_string(), n_directions - n_empty, n_directions - n_empty == 1 ? "direction" : "directions",
        n_empty, n_empty == 1 ? "is" : "are"));
  }
  return learnt;
}

std::shared_ptr<const TransformStep> load(const SavedStep& saved) {
  const auto n_directions = static_cast<std::size_t>(*saved.spec.parameter);
  Axes axes{saved.array("mean", {saved.n_columns}), saved.array("components", {n_directions, saved.n_columns}),
            saved.array("explained_variance_ratio", {n_directions})};
  return std::make_shared<Pca>(saved.spec, std::move(axes));
}

}  // namespace

StepKind pca_kind() { return {"pca", StepParameter::dimensions, learn, load}; }

}  // namespace coppice::internal
