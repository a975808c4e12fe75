// SPDX-License-Identifier: BSD-3-Clause
#include "command_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "method_choice.hpp"
#include "whole_number.hpp"

namespace coppice::cli {

CLI::Option* add_method_option(CLI::App& command, std::string& name) {
  return command.add_option("--method", name, "method by name: " + fmt::format("{}", fmt::join(method_names(), ", ")))
      ->type_name("NAME")
      ->capture_default_str();
}

CLI::Option* add_output_option(CLI::App& command, OutputFile& file, const char* help) {
  command.add_flag("--force", file.force, "replace what exists");
  return command.add_option("--out", file.path, help)->type_name("FILE");
}

void add_by_position_option(CLI::App& command, bool& by_position) {
  command
      .add_flag("--by-position", by_position, "take the table's columns as they stand, whatever the model calls them")
      ->group("Reading");
}

void add_threads_option(CLI::App& command, std::uint64_t& threads) {
  command.add_option("--threads", threads, "threads to use; 0 means all cores")
      ->check(whole_number())
      ->check(CLI::Range(0, 1024).description(""))
      ->type_name("NUMBER")
      ->group("Running");
}

void add_time_limit_option(CLI::App& command, Session& session) {
  command
      .add_option_function<double>(
          "--time-limit", [&session](double seconds) { session.set_time_limit(seconds); },
          "seconds after which the command ends without a result (exit code 5)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("NUMBER")
      ->group("Running");
}

CLI::Validator whole_number() {
  return {[](std::string& text) { return unfit_whole_number(text); }, ""};
}

}  // namespace coppice::cli
