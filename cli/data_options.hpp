// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "coppice/data/read.hpp"

namespace coppice::cli {

// The options with which every command reads its table.
void add_data_options(CLI::App& command, ReadOptions& options);

// For commands that run no method, whose description would bring the option along.
void add_threads_option(CLI::App& command, std::uint64_t& threads);

}  // namespace coppice::cli
