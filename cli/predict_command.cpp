// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "align_columns.hpp"
#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/write/all_probabilities.hpp"
#include "data_options.hpp"
#include "labels_output.hpp"
#include "note.hpp"
#include "output_file.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

struct PredictArguments {
  std::string model;
  std::string input;
  OutputFile out;
  bool probabilities = false;
  bool all_probabilities = false;
  bool by_position = false;
  std::uint64_t threads = 0;
  ReadOptions read;
};

void write_all_probabilities(const PredictArguments& arguments, const Model& model, const LabelledRows& rows) {
  const RowFormat format = row_format(arguments.out.path);
  write_output_in_pieces(arguments.out, [&](const WritePiece& write) {
    if (format == RowFormat::npy) return write_all_probabilities_npy(model, rows.data, write, arguments.threads);
    write_all_probabilities_csv(model, rows, separator_of(format), write, arguments.threads);
  });
}

void run(PredictArguments& arguments) {
  if (arguments.probabilities && !arguments.all_probabilities && row_format(arguments.out.path) == RowFormat::npy) {
    throw OptionError(
        "--probabilities goes with CSV; an .npy file holds the labels alone, or with --all-probabilities the "
        "probabilities of all clusters");
  }
  check_row_output(arguments.out);
  const Model model = load_model(arguments.model);
  const bool wants_probabilities = arguments.probabilities || arguments.all_probabilities;
  if (wants_probabilities && !model.has_density()) {
    throw OptionError(fmt::format("{}: {} gives labels without probabilities; leave out {}", arguments.model,
                                  model.method(),
                                  arguments.all_probabilities ? "--all-probabilities" : "--probabilities"));
  }
  arguments.read.threads = arguments.threads;
  const Dataset table =
      align_columns(read(arguments.input, arguments.read), model, {arguments.input, arguments.by_position});
  Predictions predictions;
  if (wants_probabilities) {
    predictions = model.predict_with_probabilities(table, arguments.threads);
  } else {
    predictions.labels = model.predict(table, arguments.threads);
  }
  if (predictions.n_unlikely > 0) {
    const bool is_one = predictions.n_unlikely == 1;
    print_note(
        fmt::format("{} {} a label to which another cluster is more than twice as probable; that happens far from all "
                    "clusters (docs/how-sure.md)",
                    predictions.n_unlikely, is_one ? "row has" : "rows have"));
  }
  const LabelledRows rows{table, predictions.labels, predictions.probabilities};
  if (arguments.all_probabilities) return write_all_probabilities(arguments, model, rows);
  write_labels(arguments.out, rows);
}

}  // namespace

void add_predict(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("predict", "Label new rows with a fitted model");
  const auto arguments = std::make_shared<PredictArguments>();
  command->add_option("MODEL", arguments->model, "folder of a fit, or the model.coppice in it")
      ->type_name(" ")
      ->required();
  command->add_option("INPUT", arguments->input, "table of new rows, with the model's columns")
      ->type_name(" ")
      ->required();
  add_output_option(*command, arguments->out, "file to write: .csv, .tsv, .npy; default: standard output");
  command->add_flag("--probabilities", arguments->probabilities,
                    "add how sure each label is (CSV only; not for methods without densities, such as kmeans)");
  command->add_flag("--all-probabilities", arguments->all_probabilities,
                    "add how probable every cluster is: p0, p1, ... and p_new, a cluster not seen yet; an .npy file "
                    "holds these columns alone");
  add_threads_option(*command, arguments->threads);
  add_time_limit_option(*command, session);
  add_data_options(*command, arguments->read);
  add_by_position_option(*command, arguments->by_position);
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
