// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "coppice/data/read.hpp"

namespace coppice::cli {

// The options with which every command reads its table.
inline void add_data_options(CLI::App& command, ReadOptions& options) {
  command.add_option("--columns", options.columns, "use only these columns: names, or numbers from 1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST")
      ->group("Reading");
  command.add_option("--id", options.id, "column that names the rows")->type_name("COLUMN")->group("Reading");
  command.add_option("--weights", options.weights, "column, or file with a number per row, that weighs the rows")
      ->type_name("COLUMN|FILE")
      ->group("Reading");
}

// For commands that run no method, whose description would bring the option along.
inline void add_threads_option(CLI::App& command, std::uint64_t& threads) {
  command.add_option("--threads", threads, "threads to use; 0 means all cores")
      ->check(CLI::Range(0, 1024).description(""))
      ->type_name("NUMBER")
      ->group("Running");
}

}  // namespace coppice::cli
