// SPDX-License-Identifier: BSD-3-Clause
#include "describe_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "coppice/model/telling_columns.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

constexpr std::size_t most_columns_shown = 5;
constexpr std::size_t most_clusters_shown = 25;

using Means = std::vector<std::vector<double>>;

// How well the columns that were clustered tell clusters apart.
std::vector<double> telling_scores(const Model& model, const std::vector<std::vector<TellingColumn>>& told) {
  std::vector<double> scores(model.n_columns(), 0.0);
  for (std::size_t c = 0; c < model.k(); ++c) {
    for (const TellingColumn& column : told[c]) scores[column.column] += model.stats().weight(c) * column.score;
  }
  return scores;
}

// How far the means lie apart, for columns that were not clustered themselves.
std::vector<double> spreads_of(const Model& model, const Means& means) {
  std::vector<double> spreads(model.mean_columns().size(), 0.0);
  for (std::size_t column = 0; column < spreads.size(); ++column) {
    double centre = 0.0;
    for (std::size_t c = 0; c < model.k(); ++c) {
      centre += model.stats().weight(c) / model.total_weight() * means[c][column];
    }
    for (std::size_t c = 0; c < model.k(); ++c) {
      spreads[column] = std::max(spreads[column], std::abs(means[c][column] - centre));
    }
  }
  return spreads;
}

// All columns if they fit on a line, else those that tell clusters apart best over all clusters.
std::vector<std::size_t> columns_to_show(const Model& model, const Means& means,
                                         const std::vector<std::vector<TellingColumn>>& told) {
  const bool are_clustered =
      std::ranges::equal(model.mean_columns(), model.columns(), {}, &Column::name, &Column::name);
  std::vector<std::size_t> columns(model.mean_columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (columns.size() <= most_columns_shown) return columns;
  const std::vector<double> scores = are_clustered ? telling_scores(model, told) : spreads_of(model, means);
  std::ranges::stable_sort(columns, std::ranges::greater{}, [&](std::size_t column) { return scores[column]; });
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
    if (!fit.probabilities.empty()) cluster.sureness += fit.probabilities[row];
  }
  for (ClusterFigures& cluster : figures)
    cluster.sureness /= static_cast<double>(std::max<std::size_t>(1, cluster.size));
  return figures;
}

// What is left of zeros after transforms were undone is shown as zero.
Means means_to_show(const Model& model) {
  constexpr double rounding = 1e-12;
  Means means;
  for (std::size_t c = 0; c < model.k(); ++c) means.push_back(model.mean(c));
  for (std::size_t column = 0; column < model.mean_columns().size(); ++column) {
    double largest = 0.0;
    for (const std::vector<double>& mean : means) largest = std::max(largest, std::abs(mean[column]));
    for (std::vector<double>& mean : means) {
      if (std::abs(mean[column]) < rounding * largest) mean[column] = 0.0;
    }
  }
  return means;
}

std::string cluster_table(const Fit& fit) {
  const auto told = telling_columns(fit.model);
  const Means means = means_to_show(fit.model);
  const std::vector<std::size_t> columns = columns_to_show(fit.model, means, told);
  const std::vector<ClusterFigures> figures = figures_of(fit);
  const bool has_probabilities = !fit.probabilities.empty();
  std::vector<std::string> headings = {"cluster", "rows", "share"};
  if (has_probabilities) headings.emplace_back("sure");
  for (const std::size_t column : columns) headings.push_back(fit.model.mean_columns()[column].name);
  headings.emplace_back("set apart by");
  TextTable table(headings, std::string(headings.size() - 1, 'r') + "l");
  const std::size_t n_shown = std::min(fit.model.k(), most_clusters_shown);
  for (std::size_t c = 0; c < n_shown; ++c) {
    const double share = fit.model.stats().weight(c) / fit.model.total_weight();
    std::vector<std::string> row = {fmt::format("{}", c), with_commas(figures[c].size),
                                    fmt::format("{:.1f}%", 100.0 * share)};
    if (has_probabilities) row.push_back(fmt::format("{:.1f}%", 100.0 * figures[c].sureness));
    for (const std::size_t column : columns) row.push_back(short_number(means[c][column]));
    row.push_back(fit.model.k() > 1 && !told[c].empty() ? fit.model.columns()[told[c].front().column].name : "-");
    table.add(std::move(row));
  }
  std::string text = table.to_string();
  if (n_shown < fit.model.k())
    text += fmt::format("  ... and {} smaller ones (summary.json has them all)\n", fit.model.k() - n_shown);
  return text;
}

// "sum of squares" -> "Sum of squares"
std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string objective_line(const Fit& fit, const std::string& name) {
  const Model& model = fit.model;
  const std::string value = is_code_length(name)
                                ? fmt::format("Objective {:.2f} nats, {:.3f} bits per row", model.objective(),
                                              bits_per_row(model.objective(), model.total_weight()))
                                : fmt::format("{} {:.10g}", capitalized(name), model.objective());
  return fmt::format("\n{}; {}\n", value,
                     fit.converged ? "converged" : fmt::format("stopped early ({})", to_string(fit.stop_reason)));
}

// "BIC 123.4, silhouette 0.56"
std::string criteria_line(const Fit& fit) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : fit.criteria) {
    entries.push_back(fmt::format("{} {:.7g}", name == "bic" ? "BIC" : capitalized(name), value));
  }
  return fmt::format("{}\n", fmt::join(entries, ", "));
}

// The objective for the numbers of clusters around the one found: where it chose the number, how much worse each is.
std::string evidence_line(const Fit& fit, const std::string& name) {
  const bool is_evidence = is_code_length(name) && fit.criteria.empty();
  const std::size_t k = fit.model.k();
  std::vector<std::string> entries;
  for (const auto& [other, objective] : fit.k_evidence) {
    if (other + 2 < k || other > k + 2) continue;
    if (!is_evidence) {
      entries.push_back(fmt::format("{}: {}{}", other, short_number(objective), other == k ? " (chosen)" : ""));
    } else {
      const double behind = objective - fit.model.objective();
      entries.push_back(other == k ? fmt::format("{} best", other) : fmt::format("{} {:+.1f}", other, behind));
    }
  }
  return fmt::format("{} {}\n", is_evidence ? "Evidence (nats behind the best): K =" : "By number of clusters:",
                     fmt::join(entries, ", "));
}

}  // namespace

std::string means_line(const Model& model) {
  const Transforms& transforms = model.transforms();
  if (transforms.empty()) return {};
  const std::string chain = transforms.to_string();
  const std::string here = fmt::format("Clustered after {} ({} {})", chain, with_commas(model.n_columns()),
                                       model.n_columns() == 1 ? "column" : "columns");
  switch (transforms.inverse_kind()) {
    case Inverse::exact:
      return fmt::format("{}; the means are taken back to the input's columns\n", here);
    case Inverse::approximate:
      return fmt::format("{}; the means are taken back to the input's columns, approximately\n", here);
    case Inverse::none:
      break;
  }
  return fmt::format("{}; the means are in those columns, since there is no way back\n", here);
}

std::string describe_fit(const Fit& fit, const Dataset& data, const SummaryContext& context) {
  const Model& model = fit.model;
  std::string text =
      fmt::format("{} {} in {} rows x {} columns ({}, {}, {:.2f} s)\n\n", model.k(),
                  model.k() == 1 ? "cluster" : "clusters", with_commas(data.n_rows()), with_commas(data.n_columns()),
                  model.method(), model.components().family(), fit.seconds.prepare + fit.seconds.fit);
  text += cluster_table(fit);
  if (!model.transforms().empty()) text += fmt::format("\n{}", means_line(model));
  text += objective_line(fit, context.objective_name);
  if (!fit.criteria.empty()) text += criteria_line(fit);
  if (fit.k_evidence.size() > 1) text += evidence_line(fit, context.objective_name);
  if (const auto& scores = context.scores; scores.contains("ari")) {
    text += fmt::format("Against the truth: ARI {:.3f}, NMI {:.3f}, AMI {:.3f}, purity {:.3f}\n", scores.at("ari"),
                        scores.at("nmi"), scores.at("ami"), scores.at("purity"));
  }
  return text;
}

}  // namespace coppice::cli
