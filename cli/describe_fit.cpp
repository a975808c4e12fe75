// SPDX-License-Identifier: BSD-3-Clause
#include "describe_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "coppice/model/telling_columns.hpp"
#include "coppice/write/summary.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

constexpr std::size_t most_columns_shown = 5;
constexpr std::size_t most_clusters_shown = 25;

// All columns if they fit on a line, else those that tell clusters apart best over all clusters.
std::vector<std::size_t> columns_to_show(const Model& model, const std::vector<std::vector<TellingColumn>>& told) {
  std::vector<std::size_t> columns(model.n_columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (columns.size() <= most_columns_shown) return columns;
  std::vector<double> total(model.n_columns(), 0.0);
  for (std::size_t c = 0; c < model.k(); ++c) {
    for (const TellingColumn& column : told[c]) total[column.column] += model.stats().weight(c) * column.score;
  }
  std::ranges::stable_sort(columns, std::ranges::greater{}, [&](std::size_t column) { return total[column]; });
  columns.resize(most_columns_shown);
  return columns;
}

struct ClusterFigures {
  std::size_t size = 0;
  double sureness = 0.0;  // mean probability of the label
};

std::vector<ClusterFigures> figures_of(const Fit& fit) {
  std::vector<ClusterFigures> figures(fit.model.k());
  for (std::size_t row = 0; row < fit.labels.size(); ++row) {
    ClusterFigures& cluster = figures[static_cast<std::size_t>(fit.labels[row])];
    ++cluster.size;
    cluster.sureness += fit.probabilities[row];
  }
  for (ClusterFigures& cluster : figures)
    cluster.sureness /= static_cast<double>(std::max<std::size_t>(1, cluster.size));
  return figures;
}

std::string cluster_table(const Fit& fit) {
  const auto told = telling_columns(fit.model);
  const std::vector<std::size_t> columns = columns_to_show(fit.model, told);
  const std::vector<ClusterFigures> figures = figures_of(fit);
  std::vector<std::string> headings = {"cluster", "rows", "share", "sure"};
  for (const std::size_t column : columns) headings.push_back(fit.model.columns()[column].name);
  headings.emplace_back("set apart by");
  TextTable table(headings, std::string(headings.size() - 1, 'r') + "l");
  const std::size_t n_shown = std::min(fit.model.k(), most_clusters_shown);
  for (std::size_t c = 0; c < n_shown; ++c) {
    const double share = fit.model.stats().weight(c) / fit.model.total_weight();
    std::vector<std::string> row = {fmt::format("{}", c), with_commas(figures[c].size),
                                    fmt::format("{:.1f}%", 100.0 * share),
                                    fmt::format("{:.1f}%", 100.0 * figures[c].sureness)};
    const std::vector<double> mean = fit.model.mean(c);
    for (const std::size_t column : columns) row.push_back(short_number(mean[column]));
    row.push_back(fit.model.k() > 1 ? fit.model.columns()[told[c].front().column].name : "-");
    table.add(std::move(row));
  }
  std::string text = table.to_string();
  if (n_shown < fit.model.k())
    text += fmt::format("  ... and {} smaller ones (summary.json has them all)\n", fit.model.k() - n_shown);
  return text;
}

// The evidence for the numbers of clusters around the one found: how much worse each is, in nats.
std::string evidence_line(const Fit& fit) {
  const std::size_t k = fit.model.k();
  std::string text;
  for (const auto& [other, objective] : fit.k_evidence) {
    if (other + 2 < k || other > k + 2) continue;
    const double behind = objective - fit.model.objective();
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", other, other == k ? "best" : fmt::format("{:+.1f}", behind));
  }
  return fmt::format("Evidence (nats behind the best): K = {}\n", text);
}

}  // namespace

std::string describe_fit(const Fit& fit, const Dataset& data, const std::map<std::string, double>& scores) {
  const Model& model = fit.model;
  std::string text =
      fmt::format("{} {} in {} rows x {} columns ({}, {}, {:.2f} s)\n\n", model.k(),
                  model.k() == 1 ? "cluster" : "clusters", with_commas(data.n_rows()), with_commas(data.n_columns()),
                  model.method(), model.components().family(), fit.seconds.prepare + fit.seconds.fit);
  text += cluster_table(fit);
  text += fmt::format("\nObjective {:.2f} nats, {:.3f} bits per row; {}\n", model.objective(),
                      bits_per_row(model.objective(), model.total_weight()),
                      fit.converged ? "converged" : fmt::format("stopped early ({})", to_string(fit.stop_reason)));
  if (fit.k_evidence.size() > 1) text += evidence_line(fit);
  if (!scores.empty()) {
    text += fmt::format("Against the truth: ARI {:.3f}, NMI {:.3f}, AMI {:.3f}, purity {:.3f}\n", scores.at("ari"),
                        scores.at("nmi"), scores.at("ami"), scores.at("purity"));
  }
  return text;
}

}  // namespace coppice::cli
