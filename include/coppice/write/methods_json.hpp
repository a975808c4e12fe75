// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coppice::internal {

// The catalogue of methods as JSON: all that a front end in another language, or a page of documentation, needs.
[[nodiscard]] std::string methods_json();

}  // namespace coppice::internal
