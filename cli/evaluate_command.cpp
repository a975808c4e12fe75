// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/linkage_matrix.hpp"
#include "coppice/evaluate/calinski_harabasz.hpp"
#include "coppice/evaluate/contingency.hpp"
#include "coppice/evaluate/davies_bouldin.hpp"
#include "coppice/evaluate/dendrogram_purity.hpp"
#include "coppice/evaluate/scores.hpp"
#include "coppice/evaluate/silhouette.hpp"
#include "labels_output.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

struct EvaluateArguments {
  std::string labels;
  std::string truth;
  std::string data;
  std::string linkage;
  bool json = false;
};

constexpr std::size_t most_groups_shown = 15;

// Of the tree in a file against the known groups.
evaluate::DendrogramPurity purity_of(const std::string& file, const std::vector<std::int32_t>& truth) {
  const Dendrogram tree = read_linkage(file);
  if (tree.n_leaves != truth.size()) {
    throw DataError(fmt::format("{}: the tree has {} leaves ({} merges), but there are {} rows", file, tree.n_leaves,
                                tree.merges.size(), truth.size()));
  }
  return evaluate::dendrogram_purity(tree, truth);
}

nlohmann::ordered_json scores_of(const EvaluateArguments& arguments, const std::vector<std::int32_t>& labels,
                                 const std::vector<std::int32_t>& truth, const evaluate::Contingency& table) {
  nlohmann::ordered_json scores = evaluate::label_scores(table);
  scores["k"] = table.k();
  scores["k_truth"] = table.k_truth();
  if (!arguments.linkage.empty()) {
    const evaluate::DendrogramPurity purity = purity_of(arguments.linkage, truth);
    scores["dendrogram_purity"] = purity.leaf;
    scores["dendrogram_purity_pairs"] = purity.pairs;
  }
  if (!arguments.data.empty()) {
    const Dataset data = read(arguments.data);
    scores["silhouette"] = evaluate::silhouette(data, labels);
    scores["calinski_harabasz"] = evaluate::calinski_harabasz(data, labels);
    scores["davies_bouldin"] = evaluate::davies_bouldin(data, labels);
  }
  return scores;
}

// Clusters in rows, known groups in columns.
std::string contingency_text(const evaluate::Contingency& table) {
  std::vector<std::vector<std::size_t>> counts(table.k(), std::vector<std::size_t>(table.k_truth(), 0));
  for (const auto& cell : table.cells) counts[cell.cluster][cell.truth] = cell.count;
  std::vector<std::string> headings = {"label"};
  for (const std::int32_t truth : table.truth_labels) headings.push_back(fmt::format("truth {}", truth));
  TextTable text(headings, "");
  for (std::size_t cluster = 0; cluster < table.k(); ++cluster) {
    std::vector<std::string> row = {fmt::format("{}", table.cluster_labels[cluster])};
    for (const std::size_t count : counts[cluster]) row.push_back(count == 0 ? "." : with_commas(count));
    text.add(std::move(row));
  }
  return text.to_string();
}

void run(const EvaluateArguments& arguments) {
  const std::vector<std::int32_t> labels = read_labels(arguments.labels);
  const std::vector<std::int32_t> truth = read_labels_for(arguments.truth, labels.size());
  const evaluate::Contingency table = evaluate::contingency(labels, truth);
  const nlohmann::ordered_json scores = scores_of(arguments, labels, truth, table);
  if (arguments.json) return print_text(scores.dump(1) + "\n");
  const std::size_t width = arguments.linkage.empty() ? 18 : 23;  // of the longest name
  for (const auto& [name, value] : scores.items()) {
    fmt::print("{:<{}} {}\n", name, width,
               value.is_number_float() ? fmt::format("{:.6f}", value.get<double>()) : value.dump());
  }
  if (table.k() <= most_groups_shown && table.k_truth() <= most_groups_shown)
    fmt::print("\n{}", contingency_text(table));
}

}  // namespace

void add_evaluate(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("evaluate", "Compare labels with known groups");
  const auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("LABELS", arguments->labels, "labels, one per row: CSV or NPY")->type_name(" ")->required();
  command->add_option("TRUTH", arguments->truth, "known groups, one per row: CSV or NPY")->type_name(" ")->required();
  command
      ->add_option("--data", arguments->data, "the table itself: adds silhouette, Calinski-Harabasz and Davies-Bouldin")
      ->type_name("FILE");
  command
      ->add_option("--linkage", arguments->linkage,
                   "a tree over the rows, linkage.npy of a fit or any linkage matrix of SciPy: adds dendrogram purity")
      ->type_name("FILE");
  add_time_limit_option(*command, session);
  command->add_flag("--json", arguments->json, "print JSON");
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
