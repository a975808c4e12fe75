// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/data/read.hpp"
#include "data_options.hpp"
#include "output_file.hpp"
#include "printable.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

struct ConvertArguments {
  std::string input;
  OutputFile out;
  ReadOptions read;
};

void run(ConvertArguments& arguments) {
  check_table_output(arguments.out);
  arguments.read.keep_missing = true;
  const Dataset table = read(arguments.input, arguments.read);
  write_table_output(arguments.out, table);
  if (is_standard_output(arguments.out.path)) return;
  fmt::print("{}: {} x {}\n", printable(arguments.out.path), with_commas(table.n_rows(), "row"),
             with_commas(table.n_columns() + table.categories().size(), "column"));
}

}  // namespace

void add_convert(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("convert", "Write a table in another format");
  const auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("INPUT", arguments->input, "table in any format that fit reads")->type_name(" ")->required();
  command->add_option("OUTPUT", arguments->out.path, "file to write: .csv, .tsv, .npy, .svm; - for standard output")
      ->type_name(" ")
      ->required();
  command->add_flag("--force", arguments->out.force, "replace the file if it exists");
  add_time_limit_option(*command, session);
  add_data_options(*command, arguments->read);
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
