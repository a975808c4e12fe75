// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One learnt step of a chain, and the list of all there are. Every step lives in a file of its own, which hands its
// StepKind to the list in step.cpp.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/transform.hpp"

namespace coppice::internal {

class TransformStep {
 public:
  TransformStep() = default;
  TransformStep(const TransformStep&) = delete;
  TransformStep& operator=(const TransformStep&) = delete;
  virtual ~TransformStep() = default;

  [[nodiscard]] virtual std::string spec() const = 0;  // as the user writes it: "pca:50"
  [[nodiscard]] virtual TransformRecord record() const { return {.spec = spec()}; }
  [[nodiscard]] virtual std::size_t n_output_columns(std::size_t n_input_columns) const { return n_input_columns; }
  [[nodiscard]] virtual Dataset apply(const Execution& execution, const Dataset& data) const = 0;
  [[nodiscard]] virtual Inverse inverse_kind() const { return Inverse::none; }
  [[nodiscard]] virtual std::vector<double> inverse(std::vector<double> point) const { return point; }
};

struct LearntStep {
  std::shared_ptr<const TransformStep> step;
  std::vector<Text> warnings = {};
};

// From what a step is learnt. `place` in the chain keeps the random numbers of its steps apart.
struct Lesson {
  const Execution& execution;
  const TransformSpec& spec;
  const Dataset& data;
  std::uint64_t seed = 0;
  std::size_t place = 0;
};

// From what a saved step is made again.
struct SavedStep {
  const TransformRecord& record;
  const TransformSpec& spec;
  std::size_t n_columns = 0;
  std::size_t place = 0;

  // An array of the record, of this shape; DataError otherwise.
  [[nodiscard]] const std::vector<double>& array(const std::string& name, const std::vector<std::size_t>& shape) const;
};

// What stands behind the colon.
enum class StepParameter : std::uint8_t { none, dimensions, threshold };

struct StepKind {
  std::string_view name;
  StepParameter parameter;
  LearntStep (*learn)(const Lesson&);
  std::shared_ptr<const TransformStep> (*load)(const SavedStep&);
};

[[nodiscard]] const std::vector<StepKind>& step_kinds();
// Null if there is none of this name.
[[nodiscard]] const StepKind* find_step_kind(std::string_view name);

[[nodiscard]] StepKind standardize_kind();
[[nodiscard]] StepKind normalize_kind();
[[nodiscard]] StepKind log1p_kind();
[[nodiscard]] StepKind binarize_kind();
[[nodiscard]] StepKind pca_kind();
[[nodiscard]] StepKind project_kind();
[[nodiscard]] StepKind drop_constant_kind();

// A column by its name, for messages.
[[nodiscard]] std::string quoted_column(const Dataset& data, std::size_t column);

// LimitError before a step takes more memory than there is.
void require_step_memory(double bytes, const std::string& step);

}  // namespace coppice::internal
