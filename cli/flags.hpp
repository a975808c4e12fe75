// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How options are written on this command line. The library knows them by their keys alone (coppice/runtime/text.hpp).

#include <string>
#include <string_view>

#include "coppice/runtime/text.hpp"

namespace coppice::cli {

// max_iterations -> --max-iterations
[[nodiscard]] std::string option_flag(std::string_view key);

// What the library says, as people type it here: --assign kdtree, coppice predict.
[[nodiscard]] std::string with_flags(const Text& text);

}  // namespace coppice::cli
