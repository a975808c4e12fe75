// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/evaluate/scores.hpp"
#include "coppice/runtime/atomic_file.hpp"
#include "coppice/write/summary.hpp"
#include "data_options.hpp"
#include "describe_fit.hpp"
#include "interrupt.hpp"
#include "labels_output.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "objective.hpp"
#include "progress.hpp"

namespace coppice::cli {

namespace {

namespace fs = std::filesystem;

struct FitArguments {
  std::string input;
  std::string method;
  std::string out;
  bool force = false;
  ReadOptions read;
  std::string truth;
  std::string labels_format = "csv";
  bool json = false;
  bool quiet = false;
  std::string progress = "auto";
};

void add_arguments(CLI::App& command, FitArguments& arguments) {
  command.add_option("INPUT", arguments.input, "table: CSV, TSV or NPY; - for standard input")
      ->type_name(" ")
      ->required();
  add_method_option(command, arguments.method);
  command.add_option("--out", arguments.out, "folder to write; default: the input's name with .coppice")
      ->type_name("DIR")
      ->group("Output");
  command.add_flag("--force", arguments.force, "replace the folder if it exists")->group("Output");
  command.add_option("--labels-format", arguments.labels_format, "csv, npy, or table: the input with a label column")
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
  add_data_options(command, arguments.read);
}

fs::path folder_for(const FitArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  if (arguments.input == "-")
    throw OptionError("standard input has no name to derive a folder from; name one with --out");
  return fs::path(arguments.input).filename().replace_extension(".coppice");
}

// --force replaces what an earlier fit wrote, not whatever else may stand there.
void check_folder(const fs::path& folder, bool force) {
  AtomicFolder::check(folder, force);
  const bool is_result = fs::exists(folder / "summary.json") || !fs::exists(folder) || fs::is_empty(folder);
  if (!is_result)
    throw IoError(fmt::format("{}: holds no earlier result, so --force does not replace it", folder.string()));
}

// Everything into a folder that appears at once; returns the summary.
std::string write_results(const FitArguments& arguments, const Dataset& data, const Fit& fit, SummaryContext& context) {
  const Stopwatch watch;
  AtomicFolder folder(folder_for(arguments), arguments.force);
  save_model(fit.model, folder.path() / "model.coppice");
  write_labels(folder.path(), arguments.labels_format, {data, fit.labels, fit.probabilities});
  context.write_seconds = watch.seconds();
  context.total_seconds += watch.seconds();
  std::string summary = summary_json(fit, data, context);
  write_text((folder.path() / "summary.json").string(), summary);
  folder.commit();
  return summary;
}

template <class Method>
void run(const FitArguments& arguments, const Method& method, RunOptions options, TableFiles& files, Outcome& outcome) {
  check_options(method);  // before any work: nobody waits for a refusal
  check_folder(folder_for(arguments), arguments.force);
  const Stopwatch total;
  Stopwatch watch;
  const Dataset data = read(arguments.input, arguments.read);
  files.read();
  const std::vector<std::int32_t> truth =
      arguments.truth.empty() ? std::vector<std::int32_t>{} : read_labels_for(arguments.truth, data.n_rows());
  SummaryContext context{.input_path = arguments.input,
                         .options_json = options_json(method),
                         .seed = method.seed,
                         .objective_name = std::string(Method::objective_name),
                         .scores = {}};
  context.read_seconds = watch.lap();

  const InterruptGuard interrupt;  // until everything is written
  std::optional<Fit> fitted;
  {
    ProgressLine progress(arguments.json || arguments.quiet ? "never" : arguments.progress);
    options.interrupted = interrupt.flag();
    options.observer = [&](const State& state) { return progress.show(state); };
    fitted = fit(data, method, options);
  }
  if (!truth.empty()) context.scores = evaluate::label_scores(evaluate::contingency(fitted->labels, truth));
  context.scores.insert(fitted->criteria.begin(), fitted->criteria.end());
  context.total_seconds = total.seconds();
  const std::string summary = write_results(arguments, data, *fitted, context);

  if (fitted->stop_reason == StopReason::cancelled) outcome.exit_code = interrupted_exit_code;
  if (arguments.json) return write_text("", summary);
  if (arguments.quiet) return;
  for (const std::string& warning : fitted->warnings) fmt::print(stderr, "coppice: note: {}\n", warning);
  fmt::print("{}\n{}/: model.coppice, {}, summary.json\n", describe_fit(*fitted, data, context),
             folder_for(arguments).string(), labels_name(arguments.labels_format));
}

}  // namespace

void add_fit(CLI::App& program, const std::string& method_name, Outcome& outcome) {
  CLI::App* command = program.add_subcommand("fit", "Cluster a table");
  const auto arguments = std::make_shared<FitArguments>();
  arguments->method = method_name;
  add_arguments(*command, *arguments);
  const auto options = std::make_shared<RunOptions>();
  const auto files = std::make_shared<TableFiles>();
  describe(*options, AddOptions(*command, *files, "Running"));
  with_method(method_name, [&]<class Method>(const Method&) {
    const auto method = std::make_shared<Method>();
    describe(*method, AddOptions(*command, *files, fmt::format("Method {}", Method::name)));
    command->callback([=, &outcome] { run(*arguments, *method, *options, *files, outcome); });
  });
  command->footer(other_methods_hint("fit") +
                  "\nWrites into DIR: model.coppice (for predict, score and density), labels.csv, summary.json.\n"
                  "Example: coppice fit points.csv --seed 7 --truth known.csv");
}

}  // namespace coppice::cli
