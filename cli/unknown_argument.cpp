// SPDX-License-Identifier: BSD-3-Clause
#include "unknown_argument.hpp"

#include <fmt/format.h>

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

}  // namespace coppice::cli
