// SPDX-License-Identifier: BSD-3-Clause
#include "unknown_argument.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "method_choice.hpp"
#include "nearest_word.hpp"

namespace coppice::cli {

namespace {

std::string without_dashes(std::string_view flag) {
  flag.remove_prefix(std::min(flag.find_first_not_of('-'), flag.size()));
  return std::string(flag);
}

// The command's options as they could be meant: max-k, not --max-k.
std::vector<std::string> option_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back(name);
  }
  return words;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : all_commands(app)) names.push_back(command->get_name());
  return names;
}

}  // namespace

std::string explain_unknown_argument(const CLI::App& command, std::string_view method) {
  const std::vector<std::string> unknown = command.remaining();
  const auto is_flag = [](const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; };
  const auto found = std::ranges::find_if(unknown, is_flag);  // what follows an unknown option may be its value
  if (found == unknown.end()) return fmt::format("'{}' is one argument too many", unknown.front());
  const std::string flag = found->substr(0, found->find('='));

  if (command.get_option_no_throw("--method") != nullptr) {
    const std::vector<std::string> others = methods_with_option(flag);
    if (!others.empty())
      return fmt::format("method {} has no option {}; it belongs to {}", method, flag, listed(others));
  }
  const std::string nearest = nearest_word(without_dashes(flag), option_words(command));
  return fmt::format("'{}' has no option {}{}", command.get_name(), flag,
                     nearest.empty() ? "" : fmt::format("; did you mean --{}?", nearest));
}

std::vector<const CLI::App*> all_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string explain_missing_command(const CLI::App& app) {
  return fmt::format("'{}' needs a command; choose one of: {}", app.get_name(), fmt::join(command_names(app), ", "));
}

std::string explain_unknown_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> commands = command_names(app);
  const std::string as_command = nearest_word(word, commands);
  const std::string as_option = nearest_word(without_dashes(word), option_words(app));
  const std::string meant = !as_command.empty()  ? fmt::format("did you mean {}? ", as_command)
                            : !as_option.empty() ? fmt::format("did you mean --{}? ", as_option)
                                                 : "";
  return fmt::format("'{}' has no {} '{}'; {}choose one of: {}", app.get_name(),
                     word.starts_with('-') ? "option" : "command", word, meant, fmt::join(commands, ", "));
}

}  // namespace coppice::cli
