// SPDX-License-Identifier: BSD-3-Clause
#include "describe_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "cluster_table.hpp"
#include "describe_stability.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

// "sum of squares" -> "Sum of squares"
std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string objective_line(const Fit& fit, const std::string& name) {
  const Model& model = fit.model;
  const std::string value = is_code_length(name)
                                ? fmt::format("Objective {} nats, {} bits per row", fixed_number(model.objective(), 2),
                                              fixed_number(bits_per_row(model.objective(), model.total_weight()), 3))
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

// Where a criterion chose the number of clusters: the objective for the numbers around it.
std::string by_number_line(const Fit& fit) {
  const std::size_t k = fit.model.k();
  std::vector<std::string> entries;
  for (const auto& [other, objective] : fit.k_evidence) {
    if (other + 2 < k || other > k + 2) continue;
    entries.push_back(fmt::format("{}: {}{}", other, short_number(objective), other == k ? " (chosen)" : ""));
  }
  return fmt::format("By number of clusters: {}\n", fmt::join(entries, ", "));
}

// 31, but 0.31: below 10 nats the decimals matter.
std::string nats(double value) { return fixed_number(value, value < 10.0 ? 1 : 0); }

// Where the objective chose it: "K = 10 is ahead of 9 by 31 nats and of 11 by 12", the nearest numbers that were seen.
std::string evidence_line(const Fit& fit) {
  const std::size_t k = fit.model.k();
  const auto above = fit.k_evidence.upper_bound(k);
  auto below = fit.k_evidence.lower_bound(k);
  std::vector<std::pair<std::size_t, double>> others;
  if (below != fit.k_evidence.begin()) others.emplace_back(*--below);
  if (above != fit.k_evidence.end()) others.emplace_back(*above);
  // By the soft bound, by which K was chosen, it is not behind.
  const bool was_chosen_softly =
      fit.is_k_soft || (fit.soft_bound && std::ranges::any_of(others, [&](const auto& other) {
                          return other.second < fit.model.objective();
                        }));
  std::string text;
  bool was_ahead = false;
  for (const auto& [other, objective] : others) {
    const double lead = objective - fit.model.objective();
    const bool is_ahead = lead >= 0.0;
    const char* side = is_ahead ? "ahead of" : "behind";
    if (text.empty()) {
      const std::string who = was_chosen_softly
                                  ? fmt::format("K = {} was chosen with soft labels; with hard ones it", k)
                                  : fmt::format("K = {}", k);
      text = fmt::format("{} is {} {} by {} nats", who, side, other, nats(std::abs(lead)));
    } else {
      text += fmt::format(" and {} {} by {}", is_ahead && was_ahead ? "of" : side, other, nats(std::abs(lead)));
    }
    was_ahead = is_ahead;
  }
  return text + "\n";
}

// The objective chooses the number of clusters unless a criterion does.
std::string number_line(const Fit& fit, const std::string& objective_name) {
  if (fit.k_evidence.size() < 2) return {};
  const bool is_evidence = is_code_length(objective_name) && fit.criteria.empty();
  return is_evidence ? evidence_line(fit) : by_number_line(fit);
}

std::string tree_purity(const std::map<std::string, double>& scores) {
  const auto found = scores.find("dendrogram_purity");
  return found == scores.end() ? "" : fmt::format(", of the tree {:.3f}", found->second);
}

}  // namespace

std::string means_line(const Model& model) {
  const Transforms& transforms = model.transforms();
  if (transforms.empty()) return {};
  const std::string chain = transforms.to_string();
  const std::string here = fmt::format("Clustered after {} ({})", chain, with_commas(model.n_columns(), "column"));
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
      fmt::format("{} in {} x {} ({}, {}, {:.2f} s)\n\n", with_commas(fit.k_in_use.value_or(model.k()), "cluster"),
                  with_commas(data.n_rows(), "row"), with_commas(data.n_columns(), "column"), model.method(),
                  model.components().family(), fit.seconds.prepare + fit.seconds.fit);
  text += cluster_table(fit, context.stability);
  if (!model.transforms().empty()) text += fmt::format("\n{}", means_line(model));
  text += objective_line(fit, context.objective_name);
  if (!fit.criteria.empty()) text += criteria_line(fit);
  text += number_line(fit, context.objective_name);
  if (context.stability) text += stability_lines(*context.stability, model.k());
  if (const auto& scores = context.scores; scores.contains("ari")) {
    text += fmt::format("Against the truth: ARI {:.3f}, NMI {:.3f}, AMI {:.3f}, purity {:.3f}{}\n", scores.at("ari"),
                        scores.at("nmi"), scores.at("ami"), scores.at("purity"), tree_purity(scores));
  }
  return text;
}

}  // namespace coppice::cli
