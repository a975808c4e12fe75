// SPDX-License-Identifier: BSD-3-Clause
// normalize: rows to Euclidean length 1; a row of zeros has no direction and stays.
#include <algorithm>
#include <cmath>

#include "coppice/runtime/for_each_block.hpp"
#include "data/transform/step.hpp"
#include "data/transform/value_map.hpp"

namespace coppice::internal {

namespace {

template <class Visit>
void for_each_value(const Dataset& data, std::size_t row, const Visit& visit) {
  if (data.is_sparse()) {
    const SparseRow entries = data.sparse_row(row);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) visit(entries.value(entry));
  } else {
    for (std::size_t column = 0; column < data.n_columns(); ++column) visit(data.value(row, column));
  }
}

// A row's length is `largest` times `length`: squares of numbers that large or small would not fit.
struct RowLength {
  double largest = 0.0;
  double length = 1.0;
};

RowLength length_of(const Dataset& data, std::size_t row) {
  RowLength result;
  for_each_value(data, row, [&](double value) { result.largest = std::max(result.largest, std::abs(value)); });
  if (result.largest == 0.0) return {1.0, 1.0};
  double squares = 0.0;
  for_each_value(data, row, [&](double value) { squares += (value / result.largest) * (value / result.largest); });
  result.length = std::sqrt(squares);
  return result;
}

std::size_t count_zero_rows(const Dataset& data) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    bool is_zero = true;
    for_each_value(data, row, [&](double value) { is_zero = is_zero && value == 0.0; });
    if (is_zero) ++count;
  }
  return count;
}

class Normalize final : public TransformStep {
 public:
  [[nodiscard]] std::string spec() const override { return "normalize"; }
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const override {
    std::vector<RowLength> lengths(data.n_rows());
    const Blocks blocks{.n_items = data.n_rows()};
    for_each_block(execution, blocks, [&](const BlockRange& block) {
      for (std::size_t row = block.first; row < block.last; ++row) lengths[row] = length_of(data, row);
    });
    return map_values(execution, data, spec(), [&](std::size_t row, std::size_t /*column*/, double value) {
      return value / lengths[row].largest / lengths[row].length;
    });
  }
};

LearntStep learn(const Lesson& lesson) {
  LearntStep learnt{std::make_shared<Normalize>()};
  if (const std::size_t count = count_zero_rows(lesson.data); count > 0) {
    learnt.warnings.push_back(fmt::format("normalize: {} {} only zeros and stay{} zero", count,
                                          count == 1 ? "row has" : "rows have", count == 1 ? "s" : ""));
  }
  return learnt;
}

}  // namespace

StepKind normalize_kind() {
  return {"normalize", StepParameter::none, learn,
          [](const SavedStep&) -> std::shared_ptr<const TransformStep> { return std::make_shared<Normalize>(); }};
}

}  // namespace coppice::internal
