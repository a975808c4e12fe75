// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options as the library describes them (coppice/methods/options.hpp), on the command line and in JSON.

#include <functional>
#include <string>

#include "cli11_names.hpp"
#include "coppice/methods/options.hpp"
#include "table_files.hpp"

namespace coppice::cli {

// One option of the command for every option; tables and models are given as files, which `files` remembers until they
// are read. `options` must outlive the command.
void add_options(CLI::App& command, Options& options, TableFiles& files, const std::string& group);

// A complaint about numbers outside a range, and about fractions where only whole numbers are taken.
[[nodiscard]] std::function<std::string(const std::string&)> number_in(const Range& range, bool is_whole);

// A value as people write it; empty for none, tables and models.
[[nodiscard]] std::string value_text(const OptionValue& value);

// The options and their values as a JSON object, tables by their shape.
[[nodiscard]] std::string options_json(const Options& options);

}  // namespace coppice::cli
