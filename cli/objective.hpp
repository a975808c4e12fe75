// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace coppice::cli {

// What a saved model's method minimizes, by its method's name; just "objective" for methods of other programs.
[[nodiscard]] std::string objective_name_of(std::string_view method);

}  // namespace coppice::cli
