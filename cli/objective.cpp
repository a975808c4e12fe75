// SPDX-License-Identifier: BSD-3-Clause
#include "objective.hpp"

#include "coppice/methods/catalogue.hpp"

namespace coppice::cli {

std::string objective_name_of(const Model& model) {
  if (model.components().family() == "modal-gaussian") return std::string(density_of_parameters.name);
  const MethodEntry* known = find_method(model.method());
  return known == nullptr ? "objective" : std::string(known->facts.objective.name);
}

}  // namespace coppice::cli
