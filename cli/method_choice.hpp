// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Methods by name. Options of different methods share names, so a command takes those of one method alone: which one is
// looked up in the arguments before they are parsed.

#include <string>
#include <string_view>
#include <vector>

#include "coppice/methods/catalogue.hpp"

namespace coppice::cli {

// What --method says in the arguments of `fit` and `score`; the default method if it says nothing, and for the other
// commands.
[[nodiscard]] std::string method_in_arguments(int argc, const char* const* argv);

[[nodiscard]] std::vector<std::string> method_names();
// The methods that have this option, written as on the command line: --max-k.
[[nodiscard]] std::vector<std::string> methods_with_option(std::string_view flag);

// The random seed, which every method has.
[[nodiscard]] std::uint64_t seed_of(const AnyMethod& method);

// For the end of a command's help: where the options of the other methods are.
[[nodiscard]] std::string other_methods_hint(std::string_view command);

// "bkm, kmeans and gmm"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

// OptionError that names the methods there are, if it is none of them.
[[nodiscard]] const MethodEntry& method_named(std::string_view name);

}  // namespace coppice::cli
