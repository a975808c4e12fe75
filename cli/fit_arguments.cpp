// SPDX-License-Identifier: BSD-3-Clause
#include "fit_arguments.hpp"

#include <CLI/CLI.hpp>

#include "command_options.hpp"
#include "coppice/runtime/error.hpp"
#include "data_options.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"

namespace coppice::cli {

namespace {

void add_output_arguments(CLI::App& command, FitArguments& arguments) {
  command.add_option("--out", arguments.out, "folder to write; default: the input's name with .coppice")
      ->type_name("DIR")
      ->group("Output");
  command.add_flag("--force", arguments.force, "replace the folder if it exists")->group("Output");
  command
      .add_option("--labels-format", arguments.labels_format, "csv, npy, or table: the whole input with a label column")
      ->check(CLI::IsMember({"csv", "npy", "table"}).description(""))
      ->type_name("csv|npy|table")
      ->capture_default_str()
      ->group("Output");
  command.add_flag("--json", arguments.json, "print the summary as JSON and nothing else")->group("Output");
  command.add_flag("--quiet", arguments.quiet, "print nothing but errors")->group("Output");
  command.add_option("--progress", arguments.progress, "show progress: auto means on a terminal")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("auto|always|never")
      ->capture_default_str()
      ->group("Output");
  command.add_option("--truth", arguments.truth, "known groups, one per row, to score against")
      ->type_name("FILE")
      ->group("Output");
}

std::filesystem::path folder_for(const FitArguments& arguments) {
  if (arguments.out == "-") throw OptionError("--out names a folder, and - is none; --json prints the summary");
  if (!arguments.out.empty()) return arguments.out;
  if (arguments.input == "-")
    throw OptionError("standard input has no name to derive a folder from; name one with --out");
  return std::filesystem::path(arguments.input).filename().replace_extension(".coppice");
}

}  // namespace

void add_fit_arguments(CLI::App& command, FitArguments& arguments) {
  command
      .add_option("INPUT", arguments.input,
                  "table: CSV, NPY, NPZ, LIBSVM, IDX, HDF5, SQLite, also compressed; - for standard input")
      ->type_name(" ")
      ->required();
  add_method_option(command, arguments.method);
  add_output_arguments(command, arguments);
  command
      .add_option("--stability", arguments.stability,
                  "fit this many random reweightings too, and say how often the clusters and their number come back")
      ->check(number_in(Range::at_least(1), true))
      ->type_name("NUMBER")
      ->group("Output");
  add_data_options(command, arguments.read);
  command
      .add_option("--transform", arguments.transform,
                  "steps before clustering, in order, kept in the model: standardize, normalize, pca:D, project:D, "
                  "log1p, binarize[:T], drop-constant")
      ->type_name("LIST")
      ->group("Reading");
}

ResultFolder result_folder_for(const FitArguments& arguments) {
  return {folder_for(arguments), arguments.force, arguments.labels_format, {arguments.input, arguments.read}};
}

}  // namespace coppice::cli
