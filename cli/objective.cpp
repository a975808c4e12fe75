// SPDX-License-Identifier: BSD-3-Clause
#include "objective.hpp"

#include "coppice/methods/catalogue.hpp"

namespace coppice::cli {

std::string objective_name_of(std::string_view method) {
  const MethodEntry* known = find_method(method);
  return known == nullptr ? "objective" : std::string(known->facts.objective.name);
}

}  // namespace coppice::cli
