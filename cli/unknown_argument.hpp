// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli11_names.hpp"

namespace coppice::cli {

// What to say about the first argument that the command does not know: which methods have such an option, or which
// option is spelled like it. `method` is the one whose options the command has, if it has any.
[[nodiscard]] std::string explain_unknown_argument(const CLI::App& command, std::string_view method);

// The commands that a program or command has, in their order.
[[nodiscard]] std::vector<const CLI::App*> all_commands(const CLI::App& app);

// What to say about a word in the place of a command: which command or option is spelled like it, and what there is.
[[nodiscard]] std::string explain_unknown_command(const CLI::App& app, const std::string& word);
// What to say where a command is wanted and nothing stands.
[[nodiscard]] std::string explain_missing_command(const CLI::App& app);

}  // namespace coppice::cli
