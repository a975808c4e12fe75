// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "align_columns.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/transform.hpp"
#include "coppice/evaluate/dendrogram_purity.hpp"
#include "coppice/evaluate/scores.hpp"
#include "coppice/write/summary.hpp"
#include "data_options.hpp"
#include "describe_fit.hpp"
#include "fit_transformed.hpp"
#include "labels_output.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "objective.hpp"
#include "printable.hpp"
#include "progress.hpp"
#include "reading_notes.hpp"
#include "result_folder.hpp"
#include "text_table.hpp"

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
  std::optional<std::uint64_t> stability;
  bool by_position = false;
  std::string labels_format = "csv";
  bool json = false;
  bool quiet = false;
  std::string progress = "auto";
};

void add_arguments(CLI::App& command, FitArguments& arguments, TableFiles& files) {
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
  AddOptions(command, files, "Output")(
      "stability", arguments.stability, Range::at_least(1),
      "fit this many random reweightings too, and say how often the clusters and their number come back");
  add_data_options(command, arguments.read);
  command
      .add_option("--transform", arguments.transform,
                  "steps before clustering, in order, kept in the model: standardize, normalize, pca:D, project:D, "
                  "log1p, binarize[:T], drop-constant")
      ->type_name("LIST")
      ->group("Reading");
}

fs::path folder_for(const FitArguments& arguments) {
  if (arguments.out == "-") throw OptionError("--out names a folder, and - is none; --json prints the summary");
  if (!arguments.out.empty()) return arguments.out;
  if (arguments.input == "-")
    throw OptionError("standard input has no name to derive a folder from; name one with --out");
  return fs::path(arguments.input).filename().replace_extension(".coppice");
}

// Of a file, for those who wait for it: " (12.5 MB)".
std::string size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  return error || bytes < 100'000 ? "" : fmt::format(" ({:.1f} MB)", static_cast<double>(bytes) * 1e-6);
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

// What a fit takes at most, where its options say so.
template <class Method>
ProgressLimits limits_of(const Method& method, const RunOptions& options) {
  ProgressLimits limits{.seconds = options.time_limit};
  if constexpr (requires {
                  method.k.is_one();
                  method.max_iterations;
                }) {
    if (method.k.is_one() && method.restarts == 1) limits.sweeps = method.max_iterations;
  }
  limits.is_tree = requires { method.height; }
  || requires { method.look_ahead; };
  return limits;
}

// The fit, and if asked for how stable it is, in the time and until the signal that end both.
template <class Method>
class FitWork {
 public:
  FitWork(const Dataset& data, const std::vector<TransformSpec>& steps, const Method& method, const RunOptions& options,
          Session& session)
      : data_(data), steps_(steps), method_(method), options_(options), session_(session) {}

  [[nodiscard]] Fit fit(ProgressLine& progress) const {
    const std::string shape = fmt::format("{} x {}", with_commas(data_.n_rows()), with_commas(data_.n_columns()));
    progress.begin(steps_.empty() ? fmt::format("preparing {}", shape)
                                  : fmt::format("transforming {} ({})", shape, to_string(steps_)));
    return refit(data_, progress);
  }

  [[nodiscard]] Stability stability(const Fit& fit, std::uint64_t n_resamples, ProgressLine& progress) const {
    const auto refit_rows = [&](const Dataset& rows) { return refit(rows, progress); };
    const auto name_stage = [&](std::size_t resample) {
      progress.set_stage(fmt::format("resample {} of {}: ", resample + 1, n_resamples));
    };
    return coppice::stability(data_, fit, refit_rows,
                              {.resamples = n_resamples, .seed = method_.seed, .progress = name_stage},
                              session_.limited(options_));
  }

 private:
  [[nodiscard]] Fit refit(const Dataset& rows, ProgressLine& progress) const {
    RunOptions options = session_.limited(options_);
    options.observer = [&](const State& state) { return progress.show(state); };
    options.on_result = [this] { session_.keep_result(); };
    return fit_transformed(rows, steps_, method_, options);
  }

  const Dataset& data_;
  const std::vector<TransformSpec>& steps_;
  const Method& method_;
  const RunOptions& options_;
  Session& session_;
};

void append(std::vector<std::string>& into, const std::vector<std::string>& more) {
  into.insert(into.end(), more.begin(), more.end());
}

bool was_interrupted(const Fit& fit, const std::optional<Stability>& stability) {
  return fit.stop_reason == StopReason::cancelled || (stability && stability->stop_reason == StopReason::cancelled);
}

void add_purity(std::map<std::string, double>& scores, const Dendrogram& tree, std::span<const std::int32_t> truth) {
  const evaluate::DendrogramPurity purity = evaluate::dendrogram_purity(tree, truth);
  scores["dendrogram_purity"] = purity.leaf;
  scores["dendrogram_purity_pairs"] = purity.pairs;
}

// A method that goes on from a model.
template <class Method>
concept StartsFromModel = requires(const Method method) {
  method.start_from->input_columns();
};

// The table as the fit takes it: a model that the method goes on from brings its columns.
template <class Method>
Dataset table_for(const Method& method, const Dataset& data, const FitArguments& arguments) {
  if constexpr (StartsFromModel<Method>) {
    const bool is_as_read = !arguments.transform;
    if (method.start_from && is_as_read) {
      return align_columns(data, *method.start_from, {arguments.input, arguments.by_position, arguments.quiet});
    }
  }
  return data;
}

template <class Method>
void run(const FitArguments& arguments, const Method& method, const RunOptions& options, TableFiles& files,
         Session& session) {
  check_options(method);  // before any work: nobody waits for a refusal
  check_options(options);
  if (options.time_limit) session.set_time_limit(*options.time_limit);
  const std::vector<TransformSpec> steps =
      arguments.transform ? parse_transforms(*arguments.transform) : std::vector<TransformSpec>{};
  const ResultFolder folder{
      folder_for(arguments), arguments.force, arguments.labels_format, {arguments.input, arguments.read}};
  check_result_folder(folder);
  const Stopwatch total;
  Stopwatch watch;
  ReadOptions reading = arguments.read;
  reading.threads = static_cast<std::size_t>(options.threads);
  ProgressLine progress(arguments.json || arguments.quiet ? "never" : arguments.progress);
  progress.set_limits(limits_of(method, options));
  progress.begin(fmt::format("reading {}{}", arguments.input, size_of(arguments.input)));
  reading.announce_memory = [&](std::size_t bytes) {
    if (!arguments.quiet) progress.make_room_for([&] { arguments.read.announce_memory(bytes); });
  };
  std::vector<std::string> notes;
  reading.note = [&](const std::string& text) {
    if (!arguments.quiet && !arguments.json) progress.make_room_for([&] { arguments.read.note(text); });
    notes.push_back(text);
  };
  const Dataset data = read_to_cluster(arguments.input, reading);
  check_labels_format(arguments, data);
  const NamedRows named = rows_of(data, arguments.input, reading);
  files.read(named);
  Dataset rows;
  progress.make_room_for([&] { rows = table_for(method, data, arguments); });  // which may have a note
  const std::vector<std::int32_t> truth =
      arguments.truth.empty() ? std::vector<std::int32_t>{} : read_labels_for(arguments.truth, named).labels;
  SummaryContext context{.input_path = arguments.input,
                         .options_json = with_transform(options_json(method), steps),
                         .seed = method.seed,
                         .objective_name = std::string(Method::objective_name),
                         .scores = {}};
  context.read_seconds = watch.lap();

  std::optional<Fit> fitted;
  {
    const FitWork work(rows, steps, method, options, session);
    session.wait_for_result();
    fitted = work.fit(progress);
    session.keep_result();  // until everything is written
    if (arguments.stability) context.stability = work.stability(*fitted, *arguments.stability, progress);
  }
  if (!truth.empty()) context.scores = evaluate::label_scores(evaluate::contingency(fitted->labels, truth));
  if (!truth.empty() && fitted->hierarchy) add_purity(context.scores, fitted->hierarchy->tree, truth);
  context.scores.insert(fitted->criteria.begin(), fitted->criteria.end());
  if (context.stability) append(fitted->warnings, context.stability->warnings);
  fitted->warnings.insert(fitted->warnings.begin(), notes.begin(), notes.end());
  context.total_seconds = total.seconds();
  progress.begin(fmt::format("writing {}", folder.path.string()));
  const std::string summary = write_result(folder, data, *fitted, context);
  progress.end();

  if (was_interrupted(*fitted, context.stability)) session.exit_code = interrupted_exit_code;
  if (arguments.json) return print_text(summary);
  if (arguments.quiet) return;
  for (std::size_t i = notes.size(); i < fitted->warnings.size(); ++i) {  // those of reading stand there already
    fmt::print(stderr, "coppice: note: {}\n", printable(fitted->warnings[i]));
  }
  fmt::print("{}\n{}/: {}\n", describe_fit(*fitted, data, context), printable(folder.path.string()),
             files_of_result(folder, *fitted));
}

}  // namespace

void add_fit(CLI::App& program, const std::string& method_name, Session& session) {
  CLI::App* command = program.add_subcommand("fit", "Cluster a table");
  const auto arguments = std::make_shared<FitArguments>();
  arguments->method = method_name;
  const auto files = std::make_shared<TableFiles>();
  add_arguments(*command, *arguments, *files);
  const auto options = std::make_shared<RunOptions>();
  describe(*options, AddOptions(*command, *files, "Running"));
  with_method(method_name, [&]<class Method>(const Method&) {
    const auto method = std::make_shared<Method>();
    describe(*method, AddOptions(*command, *files, fmt::format("Method {}", Method::name)));
    if (StartsFromModel<Method>) add_by_position_option(*command, arguments->by_position);
    command->callback([=, &session] { run(*arguments, *method, *options, *files, session); });
  });
  command->footer(
      other_methods_hint("fit") +
      "\n\nWrites into DIR: model.coppice (for predict, score and density), labels.csv, summary.json; methods "
      "that build a tree add linkage.npy (SciPy's linkage matrix).\n\n"
      "Example: coppice fit points.csv --seed 7 --truth known.csv");
}

}  // namespace coppice::cli
