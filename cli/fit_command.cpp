// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "align_columns.hpp"
#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/evaluate/dendrogram_purity.hpp"
#include "coppice/evaluate/scores.hpp"
#include "coppice/write/summary.hpp"
#include "describe_fit.hpp"
#include "fit_arguments.hpp"
#include "fit_work.hpp"
#include "flags.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "note.hpp"
#include "printable.hpp"
#include "reading_notes.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

// Of a file, for those who wait for it: " (12.5 MB)".
std::string size_of(const std::string& path) {
  namespace fs = std::filesystem;
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

bool was_interrupted(const Fit& fit, const std::optional<Stability>& stability) {
  return fit.stop_reason == StopReason::cancelled || (stability && stability->stop_reason == StopReason::cancelled);
}

void add_purity(std::map<std::string, double>& scores, const Dendrogram& tree, std::span<const std::int32_t> truth) {
  const evaluate::DendrogramPurity purity = evaluate::dendrogram_purity(tree, truth);
  scores["dendrogram_purity"] = purity.leaf;
  scores["dendrogram_purity_pairs"] = purity.pairs;
}

// Of methods that go on from a model.
constexpr std::string_view start_from = "start_from";

// What a fit is made of.
struct FitRequest {
  FitArguments arguments;
  std::unique_ptr<AnyMethod> method;
  RunOptions options;
  std::unique_ptr<Options> running = run_options(options);
  TableFiles files;  // of the method
};

// One fit, from the arguments to the files.
class FitCommand {
 public:
  FitCommand(FitRequest& request, Session& session)
      : arguments_(request.arguments),
        method_(*request.method),
        options_(request.options),
        files_(request.files),
        session_(session),
        progress_(arguments_.json || arguments_.quiet ? "never" : arguments_.progress) {}

  void run() {
    check();
    read();
    cluster();
    judge();
    write();
    print();
  }

 private:
  // Before any work: nobody waits for a refusal.
  void check() {
    method_.options().check();
    check_options(options_);
    if (options_.time_limit) session_.set_time_limit(*options_.time_limit);
    if (arguments_.transform) steps_ = parse_transforms(*arguments_.transform);
    folder_ = result_folder_for(arguments_);
    check_result_folder(folder_);
  }

  void read() {
    Stopwatch watch;
    progress_.set_limits(limits_of(method_, options_));
    progress_.begin(fmt::format("reading {}{}", arguments_.input, size_of(arguments_.input)));
    const ReadOptions reading = reading_options();
    data_ = read_to_cluster(arguments_.input, reading);
    check_labels_format(arguments_, data_);
    const NamedRows named = rows_of(data_, arguments_.input, reading);
    files_.read(named);
    rows_ = table_for_method(reading);
    if (!arguments_.truth.empty()) truth_ = read_labels_for(arguments_.truth, named).labels;
    context_.read_seconds = watch.lap();
  }

  // What reading has to say goes beside the line of progress, and into the summary.
  ReadOptions reading_options() {
    ReadOptions reading = arguments_.read;
    reading.threads = static_cast<std::size_t>(options_.threads);
    reading.announce_memory = [this](std::size_t bytes) {
      if (!arguments_.quiet) progress_.make_room_for([&] { arguments_.read.announce_memory(bytes); });
    };
    reading.note = [this](const Text& text) {
      if (!arguments_.quiet && !arguments_.json) progress_.make_room_for([&] { print_note(text); });
      notes_.push_back(text);
    };
    return reading;
  }

  // A model that the method goes on from brings its columns, unless transforms make others.
  Dataset table_for_method(const ReadOptions& reading) const {
    if (arguments_.transform || !method_.options().has(start_from)) return data_;
    const OptionValue start = method_.options().get(start_from);
    const Model* model = std::get_if<Model>(&start);
    if (model == nullptr) return data_;
    return align_columns(data_, *model, {arguments_.input, arguments_.by_position, reading.note});
  }

  void cluster() {
    const FitWork work(rows_, steps_, method_, options_, session_);
    session_.wait_for_result();
    fit_ = work.fit(progress_);
    session_.keep_result();  // until everything is written
    if (arguments_.stability) context_.stability = work.stability(*fit_, *arguments_.stability, progress_);
  }

  // Scores, and all that there is to note.
  void judge() {
    if (!truth_.empty()) context_.scores = evaluate::label_scores(evaluate::contingency(fit_->labels, truth_));
    if (!truth_.empty() && fit_->hierarchy) add_purity(context_.scores, fit_->hierarchy->tree, truth_);
    context_.scores.insert(fit_->criteria.begin(), fit_->criteria.end());
    std::vector<Text>& warnings = fit_->warnings;
    if (context_.stability) {
      warnings.insert(warnings.end(), context_.stability->warnings.begin(), context_.stability->warnings.end());
    }
    warnings.insert(warnings.begin(), notes_.begin(), notes_.end());
  }

  void write() {
    context_.input_path = arguments_.input;
    context_.options_json = with_transform(options_json(method_.options()), steps_);
    context_.seed = seed_of(method_);
    context_.objective_name = std::string(method_.objective().name);
    context_.render = with_flags;
    context_.total_seconds = total_.seconds();
    progress_.begin(fmt::format("writing {}", folder_.path.string()));
    summary_ = write_result(folder_, data_, *fit_, context_);
    progress_.end();
    if (was_interrupted(*fit_, context_.stability)) session_.exit_code = interrupted_exit_code;
  }

  void print() const {
    if (arguments_.json) return print_text(summary_);
    if (arguments_.quiet) return;
    for (std::size_t i = notes_.size(); i < fit_->warnings.size(); ++i) {  // those of reading stand there already
      print_note(fit_->warnings[i]);
    }
    fmt::print("{}\n{}/: {}\n", describe_fit(*fit_, data_, context_), printable(folder_.path.string()),
               files_of_result(folder_, *fit_));
  }

  const FitArguments& arguments_;
  const AnyMethod& method_;  // complete once its files are read
  const RunOptions& options_;
  TableFiles& files_;
  Session& session_;
  const Stopwatch total_;
  ProgressLine progress_;
  std::vector<TransformSpec> steps_;
  ResultFolder folder_;
  std::vector<Text> notes_;  // of reading
  Dataset data_;
  Dataset rows_;  // as the method takes them
  std::vector<std::int32_t> truth_;
  std::optional<Fit> fit_;
  SummaryContext context_;
  std::string summary_;
};

}  // namespace

void add_fit(CLI::App& program, const std::string& method_name, Session& session) {
  CLI::App* command = program.add_subcommand("fit", "Cluster a table");
  const auto request = std::make_shared<FitRequest>();
  request->arguments.method = method_name;
  add_fit_arguments(*command, request->arguments);
  add_options(*command, *request->running, request->files, "Running");
  request->method = method_named(method_name).make();
  Options& options = request->method->options();
  add_options(*command, options, request->files, fmt::format("Method {}", method_name));
  if (options.has(start_from)) add_by_position_option(*command, request->arguments.by_position);
  command->callback([=, &session] { FitCommand(*request, session).run(); });
  command->footer(
      other_methods_hint("fit") +
      "\n\nWrites into DIR: model.coppice (for predict, score and density), labels.csv, summary.json; methods "
      "that build a tree add linkage.npy (SciPy's linkage matrix).\n\n"
      "Example: coppice fit points.csv --seed 7 --truth known.csv");
}

}  // namespace coppice::cli
