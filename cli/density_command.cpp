// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>

#include "align_columns.hpp"
#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/npy.hpp"
#include "coppice/write/labels.hpp"
#include "data_options.hpp"
#include "output_file.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

struct DensityArguments {
  std::string model;
  std::string input;
  OutputFile out;
  bool by_position = false;
  std::uint64_t threads = 0;
  ReadOptions read;
};

std::string as_text(const Dataset& table, const std::vector<double>& log_density, char separator) {
  std::string text = fmt::format("row{}log_density\n", separator);
  for (std::size_t row = 0; row < log_density.size(); ++row) {
    const std::string name = table.ids().empty() ? fmt::format("{}", row) : text_field(table.ids()[row], separator);
    fmt::format_to(std::back_inserter(text), "{}{}{}\n", name, separator, log_density[row]);
  }
  return text;
}

void run(DensityArguments& arguments) {
  check_row_output(arguments.out);
  const Model model = load_model(arguments.model);
  if (!model.has_density()) {
    throw OptionError(fmt::format("{}: {} knows distances, not densities; a model of bkm or gmm has them",
                                  arguments.model, model.method()));
  }
  arguments.read.threads = arguments.threads;
  const Dataset table =
      align_columns(read(arguments.input, arguments.read), model, {arguments.input, arguments.by_position});
  const std::vector<double> log_density = model.log_density(table, arguments.threads);
  const RowFormat format = row_format(arguments.out.path);
  write_output(arguments.out, format == RowFormat::npy
                                  ? npy::to_bytes(std::span<const double>(log_density), {log_density.size()})
                                  : as_text(table, log_density, separator_of(format)));
  if (is_standard_output(arguments.out.path)) return;
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t row = 0; row < log_density.size(); ++row) {
    sum += table.weight(row) * log_density[row];
    weight += table.weight(row);
  }
  fmt::print("{}, mean log density {} nats\n", with_commas(log_density.size(), "row"), fixed_number(sum / weight, 6));
}

}  // namespace

void add_density(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("density", "Log predictive density of rows: how expected each one is");
  const auto arguments = std::make_shared<DensityArguments>();
  command->add_option("MODEL", arguments->model, "folder of a fit, or the model.coppice in it")
      ->type_name(" ")
      ->required();
  command->add_option("INPUT", arguments->input, "table of rows, with the model's columns")->type_name(" ")->required();
  add_output_option(*command, arguments->out, "file to write: .csv, .tsv, .npy; default: standard output");
  add_threads_option(*command, arguments->threads);
  add_time_limit_option(*command, session);
  add_data_options(*command, arguments->read);
  add_by_position_option(*command, arguments->by_position);
  command->footer("Low densities mark outliers; the mean over rows not used in the fit compares models.");
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
