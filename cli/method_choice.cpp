// SPDX-License-Identifier: BSD-3-Clause
#include "method_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "coppice/methods/describe.hpp"
#include "coppice/runtime/error.hpp"
#include "flags.hpp"
#include "nearest_word.hpp"

namespace coppice::cli {

std::string method_in_arguments(int argc, const char* const* argv) {
  std::string method(methods().front().facts.name);
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command != "fit" && command != "score") return method;
  constexpr std::string_view joined = "--method=";
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;  // no options behind it
    if (argument == "--method" && i + 1 < argc) method = argv[i + 1];
    if (argument.starts_with(joined)) method = argument.substr(joined.size());
  }
  return method;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods()) names.emplace_back(method.facts.name);
  return names;
}

std::vector<std::string> methods_with_option(std::string_view flag) {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods()) {
    const auto is_it = [&](const OptionDescription& option) { return option_flag(option.key) == flag; };
    if (std::ranges::any_of(method.options, is_it)) names.emplace_back(method.facts.name);
  }
  return names;
}

std::uint64_t seed_of(const AnyMethod& method) { return std::get<std::uint64_t>(method.options().get("seed")); }

std::string other_methods_hint(std::string_view command) {
  return fmt::format("Every method has its own options: 'coppice {} --method NAME --help' shows them ({}).", command,
                     fmt::join(method_names(), ", "));
}

std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

const MethodEntry& method_named(std::string_view name) {
  if (const MethodEntry* found = find_method(name)) return *found;
  const std::string nearest = nearest_word(name, method_names());
  throw OptionError(
      fmt::format("there is no method '{}'; {} {}", name,
                  nearest.empty() ? "the methods are:" : fmt::format("did you mean {}? The methods are:", nearest),
                  fmt::join(method_names(), ", ")));
}

}  // namespace coppice::cli
