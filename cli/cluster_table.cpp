// SPDX-License-Identifier: BSD-3-Clause
#include "cluster_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/model/telling_columns.hpp"
#include "coppice/partition/background.hpp"
#include "terminal.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

constexpr std::size_t most_columns_shown = 5;
constexpr std::size_t least_columns_shown = 3;
constexpr std::size_t most_clusters_shown = 25;
constexpr std::size_t most_names = 3;
constexpr std::size_t most_name_width = 24;  // in cells
constexpr std::size_t least_name_width = 10;

using Means = std::vector<std::vector<double>>;
using Telling = std::vector<std::vector<TellingColumn>>;

// How well the columns that were clustered tell clusters apart.
std::vector<double> telling_scores(const Model& model, const Telling& told) {
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

// The columns of the means: all of them if they are few, else those that tell clusters apart best, best first.
std::vector<std::size_t> columns_by_worth(const Model& model, const Means& means, const Telling& told) {
  const bool are_clustered =
      std::ranges::equal(model.mean_columns(), model.columns(), {}, &Column::name, &Column::name);
  std::vector<std::size_t> columns(model.mean_columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const std::vector<double> scores = are_clustered ? telling_scores(model, told) : spreads_of(model, means);
  std::ranges::stable_sort(columns, std::ranges::greater{}, [&](std::size_t column) { return scores[column]; });
  return columns;
}

struct ClusterFigures {
  std::size_t size = 0;
  double sureness = 0.0;  // mean probability of the label
};

// Of every cluster, then of the outliers.
std::vector<ClusterFigures> figures_of(const Fit& fit) {
  std::vector<ClusterFigures> figures(fit.model.k() + 1);
  for (std::size_t row = 0; row < fit.labels.size(); ++row) {
    const bool is_outlier = fit.labels[row] == background_label;
    ClusterFigures& cluster = is_outlier ? figures.back() : figures[static_cast<std::size_t>(fit.labels[row])];
    ++cluster.size;
    if (!fit.probabilities.empty()) cluster.sureness += fit.probabilities[row];
  }
  for (ClusterFigures& cluster : figures)
    cluster.sureness /= static_cast<double>(std::max<std::size_t>(1, cluster.size));
  return figures;
}

// The first, but for components that no row belongs to.
std::vector<std::size_t> clusters_to_show(const Fit& fit, std::span<const ClusterFigures> figures) {
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < fit.model.k() && shown.size() < most_clusters_shown; ++c) {
    if (!fit.k_in_use || figures[c].size > 0) shown.push_back(c);
  }
  return shown;
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

// The columns in which a cluster differs most from the whole, the strongest first: as many as are worth a name.
std::string names_apart(const Model& model, const std::vector<TellingColumn>& told, std::size_t n_names) {
  constexpr double least_score = 0.125;  // nats; what a mean half a standard deviation away amounts to
  constexpr double least_part = 0.25;    // of the strongest score: half its distance in standard deviations
  if (model.k() == 1) return "-";        // the whole does not differ from itself
  std::vector<std::string> names;
  for (const TellingColumn& column : told) {
    const bool is_worth_it = column.score >= least_score && column.score >= least_part * told.front().score;
    if (is_worth_it && names.size() < n_names)
      names.push_back(shortened(model.columns()[column.column].name, most_name_width));
  }
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

// How much of what is known about the clusters a table shows.
struct Layout {
  std::vector<std::size_t> columns;  // of the means
  std::size_t n_names = 0;           // of the columns that set a cluster apart
  std::size_t name_width = most_name_width;
};

// Everything the lines are made of, gathered once.
class ClusterLines {
 public:
  ClusterLines(const Fit& fit, const std::optional<Stability>& stability)
      : fit_(fit),
        stability_(stability && stability->resamples > 0 ? &*stability : nullptr),
        told_(telling_columns(fit.model)),
        means_(means_to_show(fit.model)),
        figures_(figures_of(fit)),
        shown_(clusters_to_show(fit, figures_)),
        by_worth_(columns_by_worth(fit.model, means_, told_)) {}

  // From the fullest to the barest; the first that fits is taken. Names of all columns would tell nothing; names of
  // some are worth less than the means of all, and more than the means of the last of many.
  [[nodiscard]] std::vector<Layout> layouts() const {
    const std::size_t n_all = by_worth_.size();
    const std::size_t n_columns = std::min(n_all, most_columns_shown);
    const std::size_t n_names = std::clamp<std::size_t>(n_all / 2, 1, most_names);
    std::vector<Layout> choices;
    for (std::size_t n = n_names; n > 0; --n) choices.push_back({chosen(n_columns), n});
    if (n_columns == n_all) choices.push_back({chosen(n_columns), 0});
    for (std::size_t n = n_columns; n-- > least_columns_shown;) choices.push_back({chosen(n), 1});
    for (std::size_t n = n_columns; n > 1; --n) choices.push_back({chosen(n), 0});
    for (std::size_t n = n_columns + 1; n-- > 0;) choices.push_back({chosen(n), 0, least_name_width});
    return choices;
  }

  [[nodiscard]] TextTable table(const Layout& layout) const {
    std::vector<std::string> headings = {"cluster", "rows", "share"};
    if (has_probabilities()) headings.emplace_back("sure");
    if (stability_ != nullptr) headings.emplace_back("stable");
    for (const std::size_t column : layout.columns)
      headings.push_back(shortened(fit_.model.mean_columns()[column].name, layout.name_width));
    std::string alignment(headings.size(), 'r');
    if (layout.n_names > 0) headings.emplace_back("set apart by");
    TextTable table(std::move(headings), alignment + "l");
    for (const std::size_t c : shown_) table.add(line(c, layout));
    if (const Background* background = fit_.model.partition().background()) {
      table.add(outlier_line(*background, layout));
    }
    return table;
  }

  [[nodiscard]] std::size_t n_shown() const noexcept { return shown_.size(); }

 private:
  [[nodiscard]] bool has_probabilities() const noexcept { return !fit_.probabilities.empty(); }

  // In the table's order if all are shown, else by worth.
  [[nodiscard]] std::vector<std::size_t> chosen(std::size_t n) const {
    std::vector<std::size_t> columns(by_worth_.begin(), by_worth_.begin() + static_cast<std::ptrdiff_t>(n));
    if (n == by_worth_.size()) std::ranges::sort(columns);
    return columns;
  }

  [[nodiscard]] std::vector<std::string> line(std::size_t c, const Layout& layout) const {
    std::vector<std::string> row = {fmt::format("{}", c), with_commas(figures_[c].size),
                                    percent(fit_.model.stats().weight(c) / fit_.model.total_weight())};
    if (has_probabilities()) row.push_back(percent(figures_[c].sureness));
    if (stability_ != nullptr) row.push_back(fmt::format("{:.0f}%", 100.0 * stability_->clusters[c].found));
    for (const std::size_t column : layout.columns) row.push_back(short_number(means_[c][column]));
    if (layout.n_names > 0) row.push_back(names_apart(fit_.model, told_[c], layout.n_names));
    return row;
  }

  // The label of outliers in place of a number; they have no mean.
  [[nodiscard]] std::vector<std::string> outlier_line(const Background& background, const Layout& layout) const {
    std::vector<std::string> row = {fmt::format("{}", background_label), with_commas(figures_.back().size),
                                    percent(background.weight / fit_.model.total_weight())};
    if (has_probabilities()) row.push_back(figures_.back().size > 0 ? percent(figures_.back().sureness) : "-");
    if (stability_ != nullptr) row.emplace_back("-");
    for (std::size_t i = 0; i < layout.columns.size(); ++i) row.emplace_back("-");
    if (layout.n_names > 0) row.emplace_back("outliers");
    return row;
  }

  const Fit& fit_;
  const Stability* stability_;
  Telling told_;
  Means means_;
  std::vector<ClusterFigures> figures_;
  std::vector<std::size_t> shown_;
  std::vector<std::size_t> by_worth_;
};

}  // namespace

std::string cluster_table(const Fit& fit, const std::optional<Stability>& stability) {
  const ClusterLines lines(fit, stability);
  std::string text;
  for (const Layout& layout : lines.layouts()) {
    const TextTable table = lines.table(layout);
    text = table.to_string(table_width());
    if (table.width() <= table_width()) break;
  }
  const std::size_t n_used = fit.k_in_use.value_or(fit.model.k());
  if (lines.n_shown() < n_used) {
    text += fmt::format("  ... and {} smaller ones (summary.json has them all)\n", n_used - lines.n_shown());
  }
  if (n_used < fit.model.k()) {
    text += fmt::format("  ... and {} that no row belongs to\n", with_commas(fit.model.k() - n_used, "component"));
  }
  return text;
}

}  // namespace coppice::cli
