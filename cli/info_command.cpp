// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/table_summary.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/write/summary.hpp"
#include "data_options.hpp"
#include "describe_fit.hpp"
#include "labels_output.hpp"
#include "objective.hpp"
#include "printable.hpp"
#include "reading_notes.hpp"
#include "terminal.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

// The parameters of a partition prior by their values.
std::string parameter_list(const PartitionPrior& partition) {
  std::vector<double> values;
  for (const NamedParameter& parameter : partition.parameters()) values.push_back(parameter.value);
  return fmt::format("{}", fmt::join(values, ", "));
}

void describe_model(const std::string& path, bool as_json) {
  const Model model = load_model(path);
  if (as_json) return print_text(model_json(model, objective_name_of(model)));
  const double weight = model.total_weight();
  fmt::print("{}: a model of {} ({}, {}), fitted to {:.10g} {} x {}\n", printable(path),
             with_commas(model.k(), "cluster"), model.method(), model.components().family(), weight,
             weight == 1.0 ? "row" : "rows", with_commas(model.input_columns().size(), "column"));
  const std::string objective = objective_name_of(model);
  if (is_code_length(objective)) {
    fmt::print("objective {} nats, partition prior {} ({})\n", fixed_number(model.objective(), 6),
               model.partition().name(), parameter_list(model.partition()));
  } else {
    fmt::print("{} {:.10g}\n", objective, model.objective());
  }
  fmt::print("{}\n", means_line(model));
  TextTable table({"cluster", "weight", "mean"}, "rrl");
  for (std::size_t c = 0; c < model.k(); ++c) {
    const std::vector<double> values = model.mean(c);
    std::string mean;
    for (std::size_t d = 0; d < std::min<std::size_t>(values.size(), 8); ++d)
      mean += fmt::format("{}={} ", model.mean_columns()[d].name, short_number(values[d]));
    if (values.size() > 8) mean += "...";
    table.add({fmt::format("{}", c), short_number(model.stats().weight(c)), mean});
  }
  fmt::print("{}", table.to_string(table_width()));
}

struct InfoArguments {
  std::string path;
  bool all = false;
  bool json = false;
  std::uint64_t threads = 0;
  ReadOptions read;
};

constexpr std::size_t most_columns_shown = 30;
constexpr std::size_t widest_name = 40;  // in cells

std::string storage_of(const Dataset& table) {
  if (!table.is_sparse()) return std::string(to_string(table.storage()));
  const double share = static_cast<double>(table.n_entries()) /
                       (static_cast<double>(table.n_rows()) * static_cast<double>(table.n_columns()));
  return fmt::format("{}, sparse with {} ({})", to_string(table.storage()),
                     with_commas(table.n_entries(), "entry", "entries"), percent(share));
}

bool has_missing(const Dataset& data) {
  const auto has_gap = [](const CategoryColumn& column) { return n_missing(column) > 0; };
  return data.has_missing() || std::ranges::any_of(data.categories(), has_gap);
}

std::string columns_table(const Dataset& data, const TableSummary& summary, bool all) {
  const bool has_gaps = has_missing(data);
  std::vector<std::string> headings{"column", "kind", "least", "mean", "most"};
  if (has_gaps) headings.emplace_back("missing");
  TextTable table(headings, "ll");
  const std::size_t n_shown = all ? data.n_columns() : std::min(data.n_columns(), most_columns_shown);
  for (std::size_t c = 0; c < n_shown; ++c) {
    const ColumnSummary& column = summary.columns[c];
    std::vector<std::string> line{shortened(data.columns()[c].name, widest_name),
                                  std::string(to_string(data.columns()[c].kind)), short_number(column.least),
                                  short_number(column.mean), short_number(column.most)};
    if (has_gaps) line.push_back(with_commas(column.n_missing));
    table.add(std::move(line));
  }
  for (const CategoryColumn& column : data.categories()) {
    std::vector<std::string> line{shortened(column.name, widest_name), "category",
                                  with_commas(column.levels.size(), "word")};
    line.resize(headings.size());
    if (has_gaps) line.back() = with_commas(n_missing(column));
    table.add(std::move(line));
  }
  std::string text = table.to_string(table_width());
  if (n_shown < data.n_columns())
    text += fmt::format("... and {}; --all shows them\n", with_commas(data.n_columns() - n_shown, "more column"));
  return text;
}

std::string table_json(const std::string& path, const Dataset& data, const TableSummary& summary) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::array();
  for (std::size_t c = 0; c < data.n_columns(); ++c) {
    const ColumnSummary& column = summary.columns[c];
    columns.push_back({{"name", data.columns()[c].name},
                       {"kind", to_string(data.columns()[c].kind)},
                       {"least", column.least},
                       {"mean", column.mean},
                       {"most", column.most},
                       {"missing", column.n_missing}});
  }
  for (const CategoryColumn& column : data.categories())
    columns.push_back(
        {{"name", column.name}, {"kind", "category"}, {"words", column.levels.size()}, {"missing", n_missing(column)}});
  const Json description = {{"path", path},
                            {"rows", data.n_rows()},
                            {"columns", columns},
                            {"storage", to_string(data.storage())},
                            {"sparse", data.is_sparse()},
                            {"entries", data.n_entries()},
                            {"duplicate_rows", summary.n_duplicates}};
  return description.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void describe_table(const InfoArguments& arguments) {
  const Dataset data = read_to_cluster(arguments.path, arguments.read);
  LocalExecution local(arguments.threads);
  const TableSummary summary = summarize_table(local.get(), data);
  if (arguments.json) {
    fmt::print("{}", table_json(arguments.path, data, summary));
    return;
  }
  fmt::print("{}: {} x {}, {}\n", printable(arguments.path), with_commas(data.n_rows(), "row"),
             with_commas(data.n_columns() + data.categories().size(), "column"), storage_of(data));
  fmt::print("{} of the rows {} equal to an earlier one\n\n{}",
             summary.n_duplicates == 0 ? "none" : with_commas(summary.n_duplicates),
             summary.n_duplicates == 1 ? "is" : "are", columns_table(data, summary, arguments.all));
}

void run(InfoArguments& arguments) {
  if (is_model_file(arguments.path)) return describe_model(arguments.path, arguments.json);
  arguments.read.keep_missing = true;
  arguments.read.threads = arguments.threads;
  describe_table(arguments);
}

}  // namespace

void add_info(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("info", "What is in a table or a model");
  const auto arguments = std::make_shared<InfoArguments>();
  command
      ->add_option("FILE", arguments->path,
                   "table in any format that fit reads, or a model: model.coppice, or the folder of a fit")
      ->type_name(" ")
      ->required();
  command->add_flag("--all", arguments->all, "show every column, however many");
  command->add_flag("--json", arguments->json, "print the description as JSON and nothing else");
  add_threads_option(*command, arguments->threads);
  add_time_limit_option(*command, session);
  add_data_options(*command, arguments->read);
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
