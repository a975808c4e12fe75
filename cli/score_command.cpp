// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "align_columns.hpp"
#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/transform.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/write/summary.hpp"
#include "data_options.hpp"
#include "labels_output.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "objective.hpp"
#include "reading_notes.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

struct ScoreArguments {
  std::string input;
  std::string labels;
  std::string method;
  std::string model;
  bool json = false;
  bool by_position = false;
  ReadOptions read;
  std::optional<std::string> transform;
};

double weight_of(const Dataset& table) {
  double total = 0.0;
  for (std::size_t row = 0; row < table.n_rows(); ++row) total += table.weight(row);
  return total;
}

void print(double objective, const std::string& name, double weight, bool as_json) {
  const bool has_bits = is_code_length(name);
  const double bits = bits_per_row(objective, weight);
  if (as_json) {
    nlohmann::ordered_json json = {{"objective", objective}, {"bits_per_row", nullptr}};
    if (has_bits) json["bits_per_row"] = bits;
    print_text(json.dump() + "\n");
  } else if (has_bits) {
    fmt::print("objective {:.10g} nats, {} bits per row\n", objective, fixed_number(bits, 4));
  } else {
    fmt::print("{} {:.10g}\n", name, objective);
  }
}

void run(const ScoreArguments& arguments, const AnyMethod& method, const RunOptions& options, TableFiles& files) {
  if (arguments.model.empty()) method.options().check();
  const std::vector<TransformSpec> steps =
      arguments.transform ? parse_transforms(*arguments.transform) : std::vector<TransformSpec>{};
  ReadOptions reading = arguments.read;
  reading.threads = static_cast<std::size_t>(options.threads);
  Dataset table = arguments.model.empty() ? read_to_cluster(arguments.input, reading) : read(arguments.input, reading);
  const NamedRows rows = rows_of(table, arguments.input, reading);
  const std::vector<std::int32_t> labels = read_labels_for(arguments.labels, rows).labels;
  if (arguments.model.empty()) {
    files.read(rows);
    LocalExecution local(static_cast<std::size_t>(options.threads));
    table = fit_transforms(local.get(), steps, table, seed_of(method)).data;
    const double objective = method.score(table, labels, options);
    return print(objective, std::string(method.objective().name), weight_of(table), arguments.json);
  }
  const Model model = load_model(arguments.model);
  table = align_columns(table, model, {arguments.input, arguments.by_position});
  const double objective = model.score(table, labels, static_cast<std::size_t>(options.threads));
  print(objective, objective_name_of(model), weight_of(table), arguments.json);
}

// A model brings its method, priors and transforms.
void check_nothing_beside_model(const CLI::App& command) {
  if (command.count("--model") == 0) return;
  for (const CLI::Option* option : command.get_options()) {
    const bool is_of_model = option->get_group().starts_with("Method") || option->get_name() == "--transform";
    if (is_of_model && option->count() > 0) {
      throw OptionError(fmt::format("{} does not go with --model, which brings its own options", option->get_name()));
    }
  }
}

}  // namespace

void add_score(CLI::App& program, const std::string& method_name, Session& session) {
  CLI::App* command = program.add_subcommand("score", "The objective of a given labelling, without fitting");
  const auto arguments = std::make_shared<ScoreArguments>();
  const auto files = std::make_shared<TableFiles>();
  const auto options = std::make_shared<RunOptions>();
  command->add_option("INPUT", arguments->input, "table that the labels belong to")->type_name(" ")->required();
  command->add_option("--labels", arguments->labels, "labels, one per row; also the folder of a fit")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--model", arguments->model,
                   "take method, priors and transforms from this model: a folder of a fit, or its model.coppice")
      ->type_name("MODEL");
  command->add_flag("--json", arguments->json, "print JSON");
  add_threads_option(*command, options->threads);
  add_time_limit_option(*command, session);
  add_data_options(*command, arguments->read);
  add_by_position_option(*command, arguments->by_position);
  command
      ->add_option("--transform", arguments->transform,
                   "steps before scoring, learnt from INPUT, as for fit; a model brings its own")
      ->type_name("LIST")
      ->group("Reading");
  arguments->method = method_name;
  const std::shared_ptr<AnyMethod> method = method_named(method_name).make();
  const std::string group = fmt::format("Method {}, without --model", method_name);
  add_method_option(*command, arguments->method)->group(group);
  add_options(*command, method->options(), *files, group);
  command->callback([=] {
    check_nothing_beside_model(*command);
    run(*arguments, *method, *options, *files);
  });
  command->footer(other_methods_hint("score"));
}

}  // namespace coppice::cli
