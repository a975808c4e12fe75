// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options that several commands have, and the checks that they share.

#include <cstdint>
#include <string>

#include "cli11_names.hpp"
#include "output_file.hpp"
#include "session.hpp"

namespace coppice::cli {

// --method itself; `name` is the method whose options the command takes.
CLI::Option* add_method_option(CLI::App& command, std::string& name);

// Adds --out and --force.
CLI::Option* add_output_option(CLI::App& command, OutputFile& file, const char* help);

void add_by_position_option(CLI::App& command, bool& by_position);

// For commands that run no method, whose description would bring the option along.
void add_threads_option(CLI::App& command, std::uint64_t& threads);

// --time-limit, for commands that have no result before their end.
void add_time_limit_option(CLI::App& command, Session& session);

// A whole number from 0 to 2^64 - 1.
[[nodiscard]] CLI::Validator whole_number();

}  // namespace coppice::cli
