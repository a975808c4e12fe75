// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "align_columns.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "data_options.hpp"
#include "labels_output.hpp"

namespace coppice::cli {

namespace {

struct PredictArguments {
  std::string model;
  std::string input;
  std::string out;
  bool probabilities = false;
  std::uint64_t threads = 0;
  ReadOptions read;
};

void run(const PredictArguments& arguments) {
  if (arguments.probabilities && arguments.out.ends_with(".npy")) {
    throw OptionError("--probabilities goes with CSV; an .npy file holds the labels alone");
  }
  const Model model = load_model(arguments.model);
  if (arguments.probabilities && !model.has_density()) {
    throw OptionError(fmt::format("{}: {} gives labels without probabilities; leave out --probabilities",
                                  arguments.model, model.method()));
  }
  const Dataset table = align_columns(read(arguments.input, arguments.read), model, arguments.input);
  Predictions predictions;
  if (arguments.probabilities) {
    predictions = model.predict_with_probabilities(table, arguments.threads);
  } else {
    predictions.labels = model.predict(table, arguments.threads);
  }
  const LabelledRows rows{table, predictions.labels, predictions.probabilities};
  write_text(arguments.out, arguments.out.ends_with(".npy") ? labels_npy(rows) : labels_csv(rows));
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", "Label new rows with a fitted model");
  const auto arguments = std::make_shared<PredictArguments>();
  command->add_option("MODEL", arguments->model, "model.coppice of a fit")->type_name(" ")->required();
  command->add_option("INPUT", arguments->input, "table of new rows, with the model's columns")
      ->type_name(" ")
      ->required();
  command->add_option("--out", arguments->out, "file to write, .csv or .npy; default: standard output")
      ->type_name("FILE");
  command->add_flag("--probabilities", arguments->probabilities,
                    "add how sure each label is (CSV only; not for methods without densities, such as kmeans)");
  add_threads_option(*command, arguments->threads);
  add_data_options(*command, arguments->read);
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
