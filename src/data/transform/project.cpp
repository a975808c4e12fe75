// SPDX-License-Identifier: BSD-3-Clause
// project:D: x -> x R, where R has D numbers from N(0, 1/D) for every column: distances change little (Johnson and
// Lindenstrauss). R is never saved: a column's numbers come from a random stream of its own, so that sparse rows ask
// for those of their columns alone.
#include <cmath>
#include <limits>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/random.hpp"
#include "data/transform/linear_map.hpp"
#include "data/transform/step.hpp"

namespace coppice::internal {

namespace {

class Project final : public TransformStep {
 public:
  Project(TransformSpec spec, std::uint64_t seed, std::size_t place)
      : spec_(std::move(spec)), seed_(seed), place_(place) {}

  [[nodiscard]] std::string spec() const override { return spec_.to_string(); }
  [[nodiscard]] TransformRecord record() const override { return {.spec = spec(), .seed = seed_}; }
  [[nodiscard]] std::size_t n_output_columns(std::size_t /*n_input_columns*/) const override {
    return static_cast<std::size_t>(*spec_.parameter);
  }
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const override {
    std::vector<std::uint32_t> places;
    const std::vector<std::uint32_t> columns = data.is_sparse() ? used_columns(data, places) : all_columns(data);
    const std::size_t n_outputs = n_output_columns(data.n_columns());
    require_step_memory(static_cast<double>(columns.size()) * static_cast<double>(n_outputs * sizeof(double)), spec());
    std::vector<double> matrix(columns.size() * n_outputs);
    const Blocks blocks{.n_items = columns.size(), .items_per_block = 64};
    for_each_task(execution, {.count = blocks.count()}, [&](std::size_t block) {
      for (std::size_t at = blocks.first(block); at < blocks.last(block); ++at) {
        fill(columns[at], std::span(matrix).subspan(at * n_outputs, n_outputs));
      }
    });
    return map_rows(execution, data, {.matrix = matrix, .n_outputs = n_outputs, .places = places}, "p", spec());
  }

 private:
  // Rounded to 24 bits, so that math libraries which differ in the last of 53 give the same numbers.
  void fill(std::uint32_t column, std::span<double> numbers) const {
    RandomStream random{seed_, Purpose::transform, (static_cast<std::uint64_t>(place_) << 32U) | column};
    const double scale = 1.0 / std::sqrt(static_cast<double>(numbers.size()));
    for (double& number : numbers) number = scale * static_cast<double>(static_cast<float>(random.normal()));
  }

  static std::vector<std::uint32_t> all_columns(const Dataset& data) {
    if (data.n_columns() > std::numeric_limits<std::uint32_t>::max()) throw LimitError("project: too many columns");
    std::vector<std::uint32_t> columns(data.n_columns());
    for (std::size_t column = 0; column < columns.size(); ++column)
      columns[column] = static_cast<std::uint32_t>(column);
    return columns;
  }

  static std::vector<std::uint32_t> used_columns(const Dataset& data, std::vector<std::uint32_t>& places) {
    std::vector<bool> is_used(data.n_columns(), false);
    for (std::size_t row = 0; row < data.n_rows(); ++row) {
      for (const std::uint32_t column : data.sparse_row(row).columns) is_used[column] = true;
    }
    std::vector<std::uint32_t> columns;
    places.assign(data.n_columns(), 0);
    for (std::size_t column = 0; column < is_used.size(); ++column) {
      if (!is_used[column]) continue;
      places[column] = static_cast<std::uint32_t>(columns.size());
      columns.push_back(static_cast<std::uint32_t>(column));
    }
    return columns;
  }

  TransformSpec spec_;
  std::uint64_t seed_;
  std::size_t place_;
};

}  // namespace

StepKind project_kind() {
  return {"project", StepParameter::dimensions,
          [](const Lesson& lesson) {
            return LearntStep{std::make_shared<Project>(lesson.spec, lesson.seed, lesson.place)};
          },
          [](const SavedStep& saved) -> std::shared_ptr<const TransformStep> {
            return std::make_shared<Project>(saved.spec, saved.record.seed, saved.place);
          }};
}

}  // namespace coppice::internal
