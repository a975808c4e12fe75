// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/label_column.hpp"
#include "coppice/data/linkage_matrix.hpp"
#include "coppice/evaluate/calinski_harabasz.hpp"
#include "coppice/evaluate/contingency.hpp"
#include "coppice/evaluate/davies_bouldin.hpp"
#include "coppice/evaluate/dendrogram_purity.hpp"
#include "coppice/evaluate/groups.hpp"
#include "coppice/evaluate/scores.hpp"
#include "coppice/evaluate/silhouette.hpp"
#include "coppice/runtime/counted.hpp"
#include "data_options.hpp"
#include "labels_output.hpp"
#include "terminal.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

using Scores = nlohmann::ordered_json;

struct EvaluateArguments {
  std::string labels;
  std::string truth;
  std::string data;
  std::string linkage;
  bool json = false;
  ReadOptions read;
};

constexpr std::size_t most_groups_shown = 15;

// What is to be compared: labels, and known groups of the same rows in the same order.
struct Comparison {
  LabelColumn labels;
  std::optional<LabelColumn> truth;
  std::optional<evaluate::Contingency> table;
};

void check_arguments(const EvaluateArguments& arguments) {
  if (arguments.truth.empty() && arguments.data.empty()) {
    throw OptionError(
        "there is nothing to judge the labels by; name known groups (TRUTH), or the table itself with --data FILE for "
        "silhouette, Calinski-Harabasz and Davies-Bouldin");
  }
  if (arguments.truth.empty() && !arguments.linkage.empty()) {
    throw OptionError("--linkage compares a tree with known groups; name them (TRUTH)");
  }
}

Comparison read_comparison(const EvaluateArguments& arguments) {
  const std::string id = arguments.read.id.value_or("row");
  Comparison found{read_label_column(labels_file(arguments.labels), id), {}, {}};
  if (arguments.truth.empty()) return found;
  const LabelColumn& labels = found.labels;
  found.truth =
      read_labels_for(arguments.truth, {labels.file, labels.labels.size(), labels.ids, id, arguments.read.note});
  found.table = evaluate::contingency(labels.labels, found.truth->labels);
  return found;
}

// Of the tree in a file against the known groups.
evaluate::DendrogramPurity purity_of(const std::string& file, const std::vector<std::int32_t>& truth) {
  const Dendrogram tree = read_linkage(file);
  if (tree.n_leaves != truth.size()) {
    throw DataError(fmt::format("{}: the tree has {} ({}), but the table has {}", file,
                                counted(tree.n_leaves, "leaf", "leaves"), counted(tree.merges.size(), "merge"),
                                counted(truth.size(), "row")));
  }
  return evaluate::dendrogram_purity(tree, truth);
}

// Null where a score compares clusters with one another and there is one, or one per row.
void add_scores_of_rows(Scores& scores, const EvaluateArguments& arguments, LabelColumn labels, std::size_t k) {
  const Dataset data = read(arguments.data, arguments.read);
  match_labels(labels, rows_of(data, arguments.data, arguments.read));
  for (const CategoryColumn& column : data.categories()) {
    arguments.read.note(
        fmt::format("{}: column '{}' has words, which no distance counts", arguments.data, column.name));
  }
  const bool is_defined = k >= 2 && k < data.n_rows();
  for (const char* name : {"silhouette", "calinski_harabasz", "davies_bouldin"}) scores[name] = nullptr;
  if (!is_defined) return;
  scores["silhouette"] = evaluate::silhouette(data, labels.labels);
  scores["calinski_harabasz"] = evaluate::calinski_harabasz(data, labels.labels);
  scores["davies_bouldin"] = evaluate::davies_bouldin(data, labels.labels);
}

Scores scores_of(const EvaluateArguments& arguments, const Comparison& found) {
  Scores scores = found.table ? Scores(evaluate::label_scores(*found.table)) : Scores::object();
  const std::size_t k = evaluate::group(found.labels.labels).k();
  scores["k"] = k;
  if (found.table) scores["k_truth"] = found.table->k_truth();
  if (!arguments.linkage.empty()) {
    const evaluate::DendrogramPurity purity = purity_of(arguments.linkage, found.truth->labels);
    scores["dendrogram_purity"] = purity.leaf;
    scores["dendrogram_purity_pairs"] = purity.pairs;
  }
  if (!arguments.data.empty()) add_scores_of_rows(scores, arguments, found.labels, k);
  return scores;
}

std::string value_text(const Scores& value, std::size_t k) {
  if (value.is_null()) {
    return k == 1 ? "undefined: it compares clusters, and there is one"
                  : "undefined: every row is a cluster of its own";
  }
  return value.is_number_float() ? fixed_number(value.get<double>(), 6) : value.dump();
}

// Clusters in rows, known groups in columns, by their own names.
std::string contingency_text(const Comparison& found) {
  const evaluate::Contingency& table = *found.table;
  std::vector<std::vector<std::size_t>> counts(table.k(), std::vector<std::size_t>(table.k_truth(), 0));
  for (const auto& cell : table.cells) counts[cell.cluster][cell.truth] = cell.count;
  std::vector<std::string> headings = {"label"};
  for (const std::int32_t truth : table.truth_labels) {
    headings.push_back((found.truth->words.empty() ? "truth " : "") + found.truth->name_of(truth));
  }
  TextTable text(headings, "");
  for (std::size_t cluster = 0; cluster < table.k(); ++cluster) {
    std::vector<std::string> row = {found.labels.name_of(table.cluster_labels[cluster])};
    for (const std::size_t count : counts[cluster]) row.push_back(count == 0 ? "." : with_commas(count));
    text.add(std::move(row));
  }
  return text.to_string(table_width());
}

void run(const EvaluateArguments& arguments) {
  check_arguments(arguments);
  const Comparison found = read_comparison(arguments);
  const Scores scores = scores_of(arguments, found);
  if (arguments.json) return print_text(scores.dump(1) + "\n");
  const std::size_t width = arguments.linkage.empty() ? 18 : 23;  // of the longest name
  for (const auto& [name, value] : scores.items()) {
    fmt::print("{:<{}} {}\n", name, width, value_text(value, scores["k"]));
  }
  if (!found.table || found.table->k() > most_groups_shown || found.table->k_truth() > most_groups_shown) return;
  fmt::print("\n{}", contingency_text(found));
}

}  // namespace

void add_evaluate(CLI::App& program, Session& session) {
  CLI::App* command =
      program.add_subcommand("evaluate", "Compare labels with known groups, or judge them by the table");
  const auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("LABELS", arguments->labels, "labels, one per row: CSV or NPY, or the folder of a fit")
      ->type_name(" ")
      ->required();
  command->add_option("TRUTH", arguments->truth, "known groups, one per row: CSV or NPY; may be left out with --data")
      ->type_name(" ");
  command
      ->add_option("--data", arguments->data, "the table itself: adds silhouette, Calinski-Harabasz and Davies-Bouldin")
      ->type_name("FILE");
  command
      ->add_option("--linkage", arguments->linkage,
                   "a tree over the rows, linkage.npy of a fit or any linkage matrix of SciPy: adds dendrogram purity")
      ->type_name("FILE");
  add_time_limit_option(*command, session);
  command->add_flag("--json", arguments->json, "print JSON");
  add_data_options(*command, arguments->read);
  command->footer(
      "Rows are matched by their ids where both files have them, in a column called row or id or as --id says,\n"
      "else by position.");
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
