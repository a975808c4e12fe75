// SPDX-License-Identifier: BSD-3-Clause
#include "methods/mixture_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coppice/data/constant_columns.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "methods/check_data.hpp"

namespace coppice::internal {

void check_number(const Dataset& data, const MixtureSpec& spec) {
  check_cluster_count("k", spec.k, data);
  if (spec.k && spec.max_k && *spec.k > *spec.max_k) {
    throw OptionError(format_text("{k} is {}, but {max_k} is {}; k must not exceed it", *spec.k, *spec.max_k));
  }
}

void check_search(const Dataset& data, std::string_view method, const MixtureSpec& spec) {
  check_table(data, method);
  (void)check_row_counts(data);
  check_number(data, spec);
  check_spec(spec, data);
  check_tree_rows(data, spec);
}

void check_tree_rows(const Dataset& data, const MixtureSpec& spec) {
  if (!data.is_sparse() || spec.assign != AssignRule::kdtree) return;
  throw OptionError(format_text("{assign=kdtree} needs dense rows, and these are sparse; use {assign=auto} or naive"));
}

namespace {

// A cluster of one row is no group, and few such rows may be outliers; most of them are a family that does not fit.
std::vector<Text> lone_row_warnings(const Fit& fit) {
  constexpr std::size_t least_rows = 10;  // fewer may well have nothing in common
  std::vector<std::size_t> sizes(fit.model.k(), 0);
  for (const std::int32_t label : fit.labels) {
    if (label >= 0) ++sizes[static_cast<std::size_t>(label)];
  }
  const auto n_alone = static_cast<std::size_t>(std::ranges::count(sizes, std::size_t{1}));
  if (fit.labels.size() < least_rows || 2 * n_alone <= fit.labels.size()) return {};
  return {format_text(
      "{} of {} rows are a cluster each, which says nothing about groups. Counts that come in bursts (the same word "
      "again) end so, and so may few rows of many columns; {transform=binarize} leaves of counts which there are, "
      "{min_size} "
      "asks for more rows in a cluster",
      n_alone, fit.labels.size())};
}

// Why there are no more clusters, where more were asked for.
Text why_no_more(const MixtureSpec& spec) {
  if (spec.min_size > 1.0) {
    return format_text("no cluster could be split further into some that are not lighter than {}",
                       option("min_size", fmt::format("{:g}", spec.min_size)));
  }
  return spec.shares_rows ? "no cluster could be split further, or no row kept a share in a further one"
                          : "no cluster could be split further";
}

}  // namespace

std::vector<Text> min_size_warnings(bool is_at_limit, const MixtureSpec& spec) {
  if (!is_at_limit) return {};
  return {format_text(
      "shares were settled only as far as {} allows: some cluster would have become lighter, as one does that a few "
      "rows far from all others make their own; a smaller limit lets them be a cluster",
      option("min_size", fmt::format("{:g}", spec.min_size)))};
}

std::vector<Text> search_warnings(const Fit& fit, const Dataset& data, const MixtureSpec& spec) {
  std::vector<Text> warnings = constant_column_warnings(data);
  for (Text& warning : light_weight_warnings(data)) warnings.push_back(std::move(warning));
  if (has_one_scale(spec.family)) {
    for (Text& warning : unlike_scale_warnings(data, "spherical clusters")) warnings.push_back(std::move(warning));
  }
  const std::size_t k = fit.model.k();
  if (spec.k && k != *spec.k) {
    warnings.push_back(why_fewer_clusters(fit, *spec.k, data, why_no_more(spec)));
  }
  if (spec.max_k && !spec.k && k == *spec.max_k) {
    warnings.push_back(format_text("the limit {} was reached; the data may hold more clusters", option("max_k", k)));
  }
  if (!spec.k) {
    for (Text& warning : lone_row_warnings(fit)) warnings.push_back(std::move(warning));
  }
  return warnings;
}

std::vector<Text> search_weight_warnings(SearchWeights weights, double weight) {
  if (weights == SearchWeights::copies_once) {
    return {
        fmt::format("most rows are there several times, or weigh as much, and not by chance: while structure was "
                    "searched every row counted once ({:.0f} in all)",
                    weight)};
  }
  if (weights == SearchWeights::table_once) {
    return {fmt::format(
        "the whole table is there several times over: structure was searched in one of them ({:.0f} rows)", weight)};
  }
  if (weights == SearchWeights::masses) {
    return {
        fmt::format("weights with fractions do not count rows: structure was searched as among {:.1f} rows, which is "
                    "what they are worth",
                    weight)};
  }
  return {};
}

}  // namespace coppice::internal
