// SPDX-License-Identifier: BSD-3-Clause
#include "write/model_needs.hpp"

#include <algorithm>
#include <array>

#include "coppice/partition/background.hpp"

namespace coppice::internal {

namespace {

constexpr std::array<std::string_view, 3> known{
    "background",     // rows that belong to no cluster, with a uniform density
    "column-priors",  // counts or bits whose prior differs from column to column
    "transforms"      // steps that rows go through before they are clustered
};

// A prior of counts or bits is one number, unless it has one for every column.
bool has_column_priors(const Components& components) {
  const NamedArrays prior = components.prior_arrays();
  return std::ranges::any_of(std::array{"psi0", "omega0"}, [&](const char* name) {
    const auto found = prior.find(name);
    return found != prior.end() && !found->second.shape.empty();
  });
}

}  // namespace

std::vector<std::string> needs_of(const Model& model) {
  std::vector<std::string> needs;
  if (model.partition().background() != nullptr) needs.emplace_back("background");
  if (has_column_priors(model.components())) needs.emplace_back("column-priors");
  if (!model.transforms().empty()) needs.emplace_back("transforms");
  return needs;
}

std::span<const std::string_view> known_needs() noexcept { return known; }

}  // namespace coppice::internal
