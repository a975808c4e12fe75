// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "coppice/runtime/error.hpp"

namespace coppice::cli {

CLI::Option* add_output_option(CLI::App& command, OutputFile& file, const char* help) {
  command.add_flag("--force", file.force, "replace what exists");
  return command.add_option("--out", file.path, help)->type_name("FILE");
}

void check_output(const OutputFile& file) {
  std::error_code ignored;
  if (file.force || file.path.empty() || !std::filesystem::is_regular_file(file.path, ignored)) return;
  throw IoError(fmt::format("{}: exists already; name another file, or replace it with --force", file.path));
}

}  // namespace coppice::cli
