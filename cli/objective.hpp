// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "coppice/model/model.hpp"

namespace coppice::cli {

// What a saved model's method minimizes, by its method's name and by whether its parameters have a density; just
// "objective" for methods of other programs.
[[nodiscard]] std::string objective_name_of(const Model& model);

}  // namespace coppice::cli
