// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "align_columns.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/write/summary.hpp"
#include "data_options.hpp"
#include "labels_output.hpp"
#include "method_list.hpp"
#include "method_options.hpp"

namespace coppice::cli {

namespace {

struct ScoreArguments {
  std::string input;
  std::string labels;
  std::string model;
  bool json = false;
  ReadOptions read;
};

double weight_of(const Dataset& table) {
  double total = 0.0;
  for (std::size_t row = 0; row < table.n_rows(); ++row) total += table.weight(row);
  return total;
}

template <class Method>
void run(const ScoreArguments& arguments, const Method& method, const RunOptions& options, TableFiles& files) {
  Dataset table = read(arguments.input, arguments.read);
  const std::vector<std::int32_t> labels = read_labels_for(arguments.labels, table.n_rows());
  double objective = 0.0;
  if (arguments.model.empty()) {
    files.read();
    objective = score(table, labels, method, options);
  } else {
    const Model model = load_model(arguments.model);
    table = align_columns(table, model, arguments.input);
    objective = model.score(table, labels, static_cast<std::size_t>(options.threads));
  }
  const double bits = bits_per_row(objective, weight_of(table));
  if (arguments.json) {
    write_text("", nlohmann::ordered_json({{"objective", objective}, {"bits_per_row", bits}}).dump() + "\n");
  } else {
    fmt::print("objective {:.10g} nats, {:.4f} bits per row\n", objective, bits);
  }
}

}  // namespace

void add_score(CLI::App& program) {
  CLI::App* command = program.add_subcommand("score", "The objective of a given labelling, without fitting");
  const auto arguments = std::make_shared<ScoreArguments>();
  const auto files = std::make_shared<TableFiles>();
  const auto options = std::make_shared<RunOptions>();
  command->add_option("INPUT", arguments->input, "table that the labels belong to")->type_name(" ")->required();
  command->add_option("--labels", arguments->labels, "labels, one per row")->type_name("FILE")->required();
  CLI::Option* model =
      command->add_option("--model", arguments->model, "take the priors from this model")->type_name("MODEL");
  command->add_flag("--json", arguments->json, "print JSON");
  add_threads_option(*command, options->threads);
  add_data_options(*command, arguments->read);
  AllMethods::for_each([&]<class Method>(const Method&) {
    const auto method = std::make_shared<Method>();
    describe(*method, AddOptions(*command, *files, fmt::format("Method {}, without --model", Method::name)));
    command->callback([=] { run(*arguments, *method, *options, *files); });
  });
  for (CLI::Option* option : command->get_options()) {
    if (option->get_group().starts_with("Method")) option->excludes(model);
  }
}

}  // namespace coppice::cli
