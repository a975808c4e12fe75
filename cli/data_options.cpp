// SPDX-License-Identifier: BSD-3-Clause
#include "data_options.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "coppice/runtime/error.hpp"

namespace coppice::cli {

namespace {

constexpr const char* group = "Reading";

// "column=kind", the column's name may hold further '='.
void add_type(const std::string& text, ReadOptions& options) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0) {
    throw OptionError(fmt::format("--types: '{}' is not COLUMN=KIND; for example --types age=real,zip=category", text));
  }
  const std::string column = text.substr(0, at);
  if (!options.types.emplace(column, column_kind(text.substr(at + 1))).second) {
    throw OptionError(fmt::format("--types: column '{}' is given two kinds", column));
  }
}

CLI::Option* add_list(CLI::App& command, const char* name, const CLI::callback_t& take, const char* help) {
  return command.add_option(name, take, help)->delimiter(',')->allow_extra_args(false)->group(group);
}

}  // namespace

void add_data_options(CLI::App& command, ReadOptions& options) {
  command.add_option("--columns", options.columns, "use only these columns: names, or numbers from 1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST")
      ->group(group);
  command.add_option("--id", options.id, "column that names the rows")->type_name("COLUMN")->group(group);
  command.add_option("--weights", options.weights, "column, or file with a number per row, that weighs the rows")
      ->type_name("COLUMN|FILE")
      ->group(group);
  const auto take_types = [&options](const CLI::results_t& words) {
    for (const std::string& word : words) add_type(word, options);
    return true;
  };
  add_list(command, "--types", take_types, "kinds of columns, where the guess is wrong: real, count, binary, category")
      ->expected(1, -1)
      ->type_name("COLUMN=KIND,...");
  command.add_option("--max-rows", options.max_rows, "read only so many rows, the first ones")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53U).description(""))
      ->type_name("NUMBER")
      ->group(group);
  command.add_option("--query", options.query, "of an SQLite database: the SELECT whose result is the table")
      ->type_name("SQL")
      ->group(group);
  options.announce_memory = [](std::size_t bytes) {
    fmt::print(stderr, "coppice: note: the table takes about {:.1f} GB of memory\n", static_cast<double>(bytes) * 1e-9);
  };
}

void add_threads_option(CLI::App& command, std::uint64_t& threads) {
  command.add_option("--threads", threads, "threads to use; 0 means all cores")
      ->check(CLI::Range(0, 1024).description(""))
      ->type_name("NUMBER")
      ->group("Running");
}

}  // namespace coppice::cli
