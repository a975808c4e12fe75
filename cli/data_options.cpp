// SPDX-License-Identifier: BSD-3-Clause
#include "data_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "command_options.hpp"
#include "coppice/runtime/error.hpp"
#include "list_option.hpp"
#include "note.hpp"
#include "whole_number.hpp"

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

// Each time the option is given: its list, cut at the commas that are not in quotes.
CLI::Option* add_list(CLI::App& command, const char* name, const std::function<void(std::string)>& take,
                      const char* help) {
  const auto take_all = [take](const CLI::results_t& lists) {
    for (const std::string& list : lists) {
      for (std::string& entry : split_list(list)) take(std::move(entry));
    }
    return true;
  };
  return command.add_option(name, take_all, help)->expected(1, -1)->allow_extra_args(false)->group(group);
}

}  // namespace

void add_data_options(CLI::App& command, ReadOptions& options) {
  add_list(
      command, "--columns", [&options](std::string name) { options.columns.push_back(std::move(name)); },
      "use only these columns: names, or numbers from 1; names with commas in double quotes")
      ->type_name("LIST");
  command.add_option("--id", options.id, "column that names the rows")->type_name("COLUMN")->group(group);
  command.add_option("--weights", options.weights, "column, or file with a number per row, that weighs the rows")
      ->type_name("COLUMN|FILE")
      ->group(group);
  add_list(
      command, "--types", [&options](const std::string& text) { add_type(text, options); },
      "kinds of columns, where the guess is wrong: real, count, binary, category")
      ->type_name("COLUMN=KIND,...");
  const auto take_header = [&options](const std::string& word) {
    options.header = word == "yes" ? HeaderRule::present : word == "no" ? HeaderRule::absent : HeaderRule::automatic;
  };
  command
      .add_option_function<std::string>("--header", take_header,
                                        "whether the first line of a text table holds the columns' names")
      ->check(CLI::IsMember({"auto", "yes", "no"}).description(""))
      ->type_name("auto|yes|no")
      ->default_str("auto")
      ->group(group);
  command.add_option("--max-rows", options.max_rows, "read only so many rows, the first ones")
      ->check(whole_number())
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53U).description(""))
      ->type_name("NUMBER")
      ->group(group);
  command.add_option("--query", options.query, "of an SQLite database: the SELECT whose result is the table")
      ->type_name("SQL")
      ->group(group);
  options.note = print_note;
  options.announce_memory = [](std::size_t bytes) {
    print_note(fmt::format("the table takes about {:.1f} GB of memory", static_cast<double>(bytes) * 1e-9));
  };
}

}  // namespace coppice::cli
