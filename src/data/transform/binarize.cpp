// SPDX-License-Identifier: BSD-3-Clause
// binarize:T: x -> 1 if x > T, else 0.
#include "data/transform/step.hpp"
#include "data/transform/value_map.hpp"

namespace coppice::internal {

namespace {

class Binarize final : public TransformStep {
 public:
  explicit Binarize(TransformSpec spec) : spec_(std::move(spec)) {}

  [[nodiscard]] std::string spec() const override { return spec_.to_string(); }
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const override {
    const double threshold = spec_.parameter.value_or(0.0);
    const auto map = [=](std::size_t /*row*/, std::size_t /*column*/, double value) {
      return value > threshold ? 1.0 : 0.0;
    };
    if (data.is_sparse() && threshold < 0.0) {
      throw OptionError(fmt::format(
          "{} would turn every 0 of the sparse rows into 1; choose a threshold from 0 on, as in binarize:0", spec()));
    }
    const Dataset table = map_values(execution, data, spec(), map);
    return table.with_kinds(std::vector<ColumnKind>(table.n_columns(), ColumnKind::binary));
  }

 private:
  TransformSpec spec_;
};

}  // namespace

StepKind binarize_kind() {
  return {"binarize", StepParameter::threshold,
          [](const Lesson& lesson) { return LearntStep{std::make_shared<Binarize>(lesson.spec)}; },
          [](const SavedStep& saved) -> std::shared_ptr<const TransformStep> {
            return std::make_shared<Binarize>(saved.spec);
          }};
}

}  // namespace coppice::internal
