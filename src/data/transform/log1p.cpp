// SPDX-License-Identifier: BSD-3-Clause
// log1p: x -> log(1 + x).
#include <cmath>

#include "data/transform/step.hpp"
#include "data/transform/value_map.hpp"

namespace coppice::internal {

namespace {

class Log1p final : public TransformStep {
 public:
  [[nodiscard]] std::string spec() const override { return "log1p"; }
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const override {
    return map_values(execution, data, spec(), [&](std::size_t row, std::size_t column, double value) {
      if (value > -1.0) return std::log1p(value);
      throw DataError(fmt::format("row {} (counted from 1), column {}: log1p needs values above -1, and this one is {}",
                                  row + 1, quoted_column(data, column), value));
    });
  }
  [[nodiscard]] Inverse inverse_kind() const override { return Inverse::exact; }
  [[nodiscard]] std::vector<double> inverse(std::vector<double> point) const override {
    for (double& value : point) value = std::expm1(value);
    return point;
  }
};

}  // namespace

StepKind log1p_kind() {
  return {"log1p", StepParameter::none, [](const Lesson&) { return LearntStep{std::make_shared<Log1p>()}; },
          [](const SavedStep&) -> std::shared_ptr<const TransformStep> { return std::make_shared<Log1p>(); }};
}

}  // namespace coppice::internal
