// SPDX-License-Identifier: BSD-3-Clause
#include "data/transform/step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "coppice/data/memory_need.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

const std::vector<StepKind>& step_kinds() {
  static const std::vector<StepKind> kinds = {standardize_kind(), normalize_kind(), pca_kind(),          project_kind(),
                                              log1p_kind(),       binarize_kind(),  drop_constant_kind()};
  return kinds;
}

const StepKind* find_step_kind(std::string_view name) {
  const auto found = std::ranges::find(step_kinds(), name, &StepKind::name);
  return found == step_kinds().end() ? nullptr : &*found;
}

const std::vector<double>& SavedStep::array(const std::string& name, const std::vector<std::size_t>& shape) const {
  const auto found = record.arrays.find(name);
  if (found == record.arrays.end()) {
    throw DataError(fmt::format("the transform {} lacks its array '{}'", record.spec, name));
  }
  if (found->second.shape != shape) {
    throw DataError(fmt::format("the array '{}' of the transform {} has the shape ({}), expected ({})", name,
                                record.spec, fmt::join(found->second.shape, ", "), fmt::join(shape, ", ")));
  }
  return found->second.values;
}

std::string quoted_column(const Dataset& data, std::size_t column) {
  return fmt::format("'{}'", data.columns()[column].name);
}

void require_step_memory(double bytes, const std::string& step) {
  const auto available = static_cast<double>(available_memory());
  if (bytes <= available) return;
  throw LimitError(
      fmt::format("{} takes about {:.1f} GB of memory, but only {:.1f} GB are free; ask for fewer dimensions, or read "
                  "fewer rows or columns",
                  step, bytes * 1e-9, available * 1e-9));
}

}  // namespace coppice::internal
