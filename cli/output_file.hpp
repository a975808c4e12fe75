// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace coppice::cli {

// A file that a command writes; it is not to replace an earlier one unasked. An empty path is standard output.
struct OutputFile {
  std::string path;
  bool force = false;
};

// Adds --out and --force.
CLI::Option* add_output_option(CLI::App& command, OutputFile& file, const char* help);

// IoError if the file exists and is not to be replaced: asked before any work is done.
void check_output(const OutputFile& file);

}  // namespace coppice::cli
