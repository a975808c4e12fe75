// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/transform.hpp"
#include "coppice/evaluate/scores.hpp"
#include "coppice/runtime/atomic_file.hpp"
#include "coppice/runtime/local_execution.hpp"
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
  std::optional<std::string> transform;
  std::string truth;
  std::string labels_format = "csv";
  bool json = false;
  bool quiet = false;
  std::string progress = "auto";
};

void add_arguments(CLI::App& command, FitArguments& arguments) {
  command
      .add_option("INPUT", arguments.input,
                  "table: CSV, NPY, NPZ, LIBSVM, IDX, HDF5, SQLite, also compressed; - for standard input")
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
  command
      .add_option("--transform", arguments.transform,
                  "steps before clustering, in order, kept in the model: standardize, normalize, pca:D, project:D, "
                  "log1p, binarize[:T]")
      ->type_name("LIST")
      ->group("Reading");
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

std::string with_transform(const std::string& options_json, const std::vector<TransformSpec>& steps) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(options_json);
  json["transform"] = nullptr;
  if (!steps.empty()) json["transform"] = to_string(steps);
  return json.dump();
}

// Sparse rows have no columns to write a label behind.
void check_labels_format(const FitArguments& arguments, const Dataset& data) {
  if (!data.is_sparse() || arguments.labels_format != "table") return;
  throw OptionError("--labels-format table writes dense tables, and the rows are sparse; choose csv or npy");
}

// Fits to the table as the transforms leave it; the model takes the table as it was.
template <class Method>
Fit fit_transformed(const Dataset& data, const std::vector<TransformSpec>& steps, const Method& method,
                    RunOptions options) {
  const Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(options.threads), StopSignal({}, options.interrupted, {}));
  const FittedTransforms ready = fit_transforms(local.get(), steps, data, method.seed);
  const double seconds = watch.seconds();
  constexpr double least_limit = 1e-3;  // what is left of the time is not nothing
  if (options.time_limit) options.time_limit = std::max(least_limit, *options.time_limit - seconds);
  Fit result = fit(ready.data, method, options);
  result.model = result.model.with_transforms(ready.chain);
  result.seconds.prepare += seconds;
  result.warnings.insert(result.warnings.begin(), ready.warnings.begin(), ready.warnings.end());
  return result;
}

template <class Method>
void run(const FitArguments& arguments, const Method& method, RunOptions options, TableFiles& files, Outcome& outcome) {
  check_options(method);  // before any work: nobody waits for a refusal
  const std::vector<TransformSpec> steps =
      arguments.transform ? parse_transforms(*arguments.transform) : std::vector<TransformSpec>{};
  check_folder(folder_for(arguments), arguments.force);
  const Stopwatch total;
  Stopwatch watch;
  ReadOptions reading = arguments.read;
  reading.threads = static_cast<std::size_t>(options.threads);
  if (arguments.quiet) reading.announce_memory = {};
  const Dataset data = read(arguments.input, reading);
  check_labels_format(arguments, data);
  files.read();
  const std::vector<std::int32_t> truth =
      arguments.truth.empty() ? std::vector<std::int32_t>{} : read_labels_for(arguments.truth, data.n_rows());
  SummaryContext context{.input_path = arguments.input,
                         .options_json = with_transform(options_json(method), steps),
                         .seed = method.seed,
                         .objective_name = std::string(Method::objective_name),
                         .scores = {}};
  context.read_seconds = watch.lap();

  const InterruptGuard interrupt;  // until everything is written
  std::optional<Fit> fitted;
  try {
    ProgressLine progress(arguments.json || arguments.quiet ? "never" : arguments.progress);
    options.interrupted = interrupt.flag();
    options.observer = [&](const State& state) { return progress.show(state); };
    fitted = fit_transformed(data, steps, method, options);
  } catch (const Stopped&) {  // a fit keeps its best so far; before it there is nothing to keep
    fmt::print(stderr, "coppice: interrupted during --transform; nothing was written\n");
    outcome.exit_code = interrupted_exit_code;
    return;
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
