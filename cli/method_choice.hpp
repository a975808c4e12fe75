// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Methods by name. Options of different methods share names, so a command takes those of one method alone: which one is
// looked up in the arguments before they are parsed.
//
//   with_method(name, [&]<class Method>(const Method& defaults) { ... });

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "method_list.hpp"

namespace coppice::cli {

// What --method says in the arguments of `fit` and `score`; the default method if it says nothing, and for the other
// commands.
[[nodiscard]] std::string method_in_arguments(int argc, const char* const* argv);

[[nodiscard]] std::vector<std::string> method_names();
// The methods that have this option, written as on the command line: --max-k.
[[nodiscard]] std::vector<std::string> methods_with_option(std::string_view flag);

// --method itself; `name` is the method whose options the command takes.
CLI::Option* add_method_option(CLI::App& command, std::string& name);
// For the end of a command's help: where the options of the other methods are.
[[nodiscard]] std::string other_methods_hint(std::string_view command);

// "bkm, kmeans and gmm"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

// OptionError that names the methods there are.
[[noreturn]] void refuse_method(std::string_view name);

// Calls visit(Method{}) for the method of this name; OptionError if there is none.
template <class Visit>
void with_method(std::string_view name, const Visit& visit) {
  bool is_known = false;
  AllMethods::for_each([&]<class Method>(const Method& method) {
    if (name != Method::name) return;
    is_known = true;
    visit(method);
  });
  if (!is_known) refuse_method(name);
}

}  // namespace coppice::cli
