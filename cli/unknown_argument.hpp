// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace coppice::cli {

// What to say about the first argument that the command does not know: which methods have such an option, or which
// option is spelled like it. `method` is the one whose options the command has, if it has any.
[[nodiscard]] std::string explain_unknown_argument(const CLI::App& command, std::string_view method);

}  // namespace coppice::cli
