// SPDX-License-Identifier: BSD-3-Clause
// coppice: the command line. Thin: arguments, terminal and exit codes; the library does the work.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "commands.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/version.hpp"
#include "flags.hpp"
#include "help_formatter.hpp"
#include "method_choice.hpp"
#include "printable.hpp"
#include "unknown_argument.hpp"

namespace {

constexpr int usage_exit_code = 2;
constexpr int memory_exit_code = 5;

// Messages hold names and cells as they are; what a terminal would obey is made harmless here, for all of them.
int complain(const std::string& message, int exit_code, const std::string& hint = "") {
  fmt::print(stderr, "coppice: {}\n{}", coppice::cli::printable(message), hint);
  return exit_code;
}

// Wrong usage gets one line and a pointer to the help; asking for help is no error.
int leave(const CLI::App& program, const std::string& method, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);
  std::string name = "coppice";
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const bool is_unknown_argument = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  const std::string message = is_unknown_argument && !command->remaining().empty()
                                  ? coppice::cli::explain_unknown_argument(*command, method)
                                  : error.what();
  return complain(message, usage_exit_code, fmt::format("Try '{} --help'.\n", name));
}

using coppice::cli::all_commands;

bool has_option(const CLI::App& app, const std::string& flag) {
  return app.get_option_no_throw(flag.substr(0, flag.find('='))) != nullptr;
}

// An unknown word where a command (or a kind of data to generate) belongs, named as such.
void check_commands(const CLI::App& program, int argc, char** argv) {
  const CLI::App* app = &program;
  for (int i = 1; i < argc && !all_commands(*app).empty(); ++i) {
    const std::string word = argv[i];
    if (has_option(*app, word)) return;
    const auto commands = all_commands(*app);
    const auto found =
        std::ranges::find_if(commands, [&](const CLI::App* command) { return command->get_name() == word; });
    if (found == commands.end()) throw coppice::OptionError(coppice::cli::explain_unknown_command(*app, word));
    app = *found;
  }
  if (!all_commands(*app).empty()) throw coppice::OptionError(coppice::cli::explain_missing_command(*app));
}

int run(int argc, char** argv) {
  CLI::App program{"Finds the groups in a table of numbers, and how many there are."};
  program.name("coppice");
  program.set_version_flag("--version", std::string(coppice::internal::version));
  program.formatter(std::make_shared<coppice::cli::HelpFormatter>());
  program.get_formatter()->label("SUBCOMMAND", "COMMAND");
  program.get_formatter()->label("Positionals", "Arguments");
  program.footer(
      "Examples:\n"
      "  coppice fit points.csv\n"
      "  coppice predict points.coppice new.csv\n\n"
      "'coppice COMMAND --help' shows the options of a command, 'coppice methods' the ways to cluster.");
  program.require_subcommand(1);
  program.fallthrough(false);
  coppice::cli::Session session;
  const std::string method = coppice::cli::method_in_arguments(argc, argv);
  try {
    coppice::cli::add_fit(program, method, session);
    coppice::cli::add_predict(program, session);
    coppice::cli::add_score(program, method, session);
    coppice::cli::add_density(program, session);
    coppice::cli::add_sample(program, session);
    coppice::cli::add_evaluate(program, session);
    coppice::cli::add_generate(program, session);
    coppice::cli::add_convert(program, session);
    coppice::cli::add_info(program, session);
    coppice::cli::add_methods(program);
    for (CLI::App* command : program.get_subcommands({})) command->group("Commands");
    if (argc < 2) {  // a question, and this is the answer: no error
      fmt::print("{}", program.help());
      return 0;
    }
    check_commands(program, argc, argv);
    program.parse(argc, argv);
    if (std::fflush(stdout) != 0) return complain("standard output: cannot write", 4);
    return session.exit_code;
  } catch (const CLI::ParseError& error) {
    return leave(program, method, error);
  } catch (const coppice::Error& error) {
    return complain(coppice::cli::with_flags(error.text()), error.exit_code());
  } catch (const coppice::Stopped& stopped) {
    return session.end_without_result(stopped.reason());
  } catch (const std::bad_alloc&) {
    return complain("out of memory; the table is too large for this machine", memory_exit_code);
  } catch (const std::exception& error) {
    return complain(fmt::format("unexpected: {}", error.what()), 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (...) {  // not even the message could be made
    return 1;
  }
}
