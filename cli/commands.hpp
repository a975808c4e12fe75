// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The commands. Each adds itself to the program; CLI11 calls it when its name is typed. `method` names the one whose
// options a command takes.

#include <string>

#include "cli11_names.hpp"
#include "session.hpp"

namespace coppice::cli {

void add_fit(CLI::App& program, const std::string& method, Session& session);
void add_predict(CLI::App& program, Session& session);
void add_score(CLI::App& program, const std::string& method, Session& session);
void add_density(CLI::App& program, Session& session);
void add_sample(CLI::App& program, Session& session);
void add_evaluate(CLI::App& program, Session& session);
void add_generate(CLI::App& program, Session& session);
void add_convert(CLI::App& program, Session& session);
void add_info(CLI::App& program, Session& session);
void add_methods(CLI::App& program);

}  // namespace coppice::cli
