// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The commands. Each adds itself to the program; CLI11 calls it when its name is typed. `method` names the one whose
// options a command takes.

#include <CLI/CLI.hpp>
#include <string>

namespace coppice::cli {

// Exit code of a command that was interrupted but wrote the best result so far.
inline constexpr int interrupted_exit_code = 130;

// What main needs to know when a command is done.
struct Outcome {
  int exit_code = 0;
};

void add_fit(CLI::App& program, const std::string& method, Outcome& outcome);
void add_predict(CLI::App& program);
void add_score(CLI::App& program, const std::string& method);
void add_density(CLI::App& program);
void add_evaluate(CLI::App& program);
void add_generate(CLI::App& program);
void add_convert(CLI::App& program);
void add_info(CLI::App& program);
void add_methods(CLI::App& program);

}  // namespace coppice::cli
