// SPDX-License-Identifier: BSD-3-Clause
#include "methods/check_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/choose_rows.hpp"
#include "coppice/data/choosing_numbers.hpp"
#include "coppice/data/constant_columns.hpp"
#include "coppice/data/some_columns.hpp"
#include "coppice/data/squares.hpp"
#include "coppice/data/table_summary.hpp"
#include "coppice/data/word_advice.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice::internal {

void check_numeric(const Dataset& data, std::string_view method) {
  check_table(data, method);
  if (data.is_sparse()) {
    throw OptionError(
        format_text("the rows are sparse ({}), and {} takes dense rows; reduce the columns first, for example with "
                    "{transform=pca:50} or {transform=project:50}",
                    counted(data.n_columns(), "column"), method));
  }
}

void check_table(const Dataset& data, std::string_view method) {
  for (const CategoryColumn& column : data.categories()) {
    const std::string advice = advice_on_column(column);
    if (!advice.empty()) throw DataError(format_text("{}; or {}", advice, how_to_choose_numbers(data)));
  }
  if (!data.categories().empty()) {
    const CategoryColumn& words = data.categories().front();
    // All different, as names of rows are.
    const bool may_name_rows = data.ids().empty() && words.levels.size() == data.n_rows() && data.n_rows() > 2;
    throw OptionError(format_text(
        "column '{}' holds words, and {} clusters numbers only; {}{}", words.name, method, how_to_choose_numbers(data),
        may_name_rows ? format_text(" (if it names the rows: {})", option("id", words.name)) : Text()));
  }
  if (data.has_missing()) {
    throw DataError(fmt::format("entries are missing, and {} takes complete rows only; remove or fill them", method));
  }
  if (data.n_rows() == 0 || data.n_columns() == 0)
    throw DataError("the table is empty; at least one row and one column are needed");
  if (!(total_weight(data) > 0.0)) throw DataError("all rows weigh 0; at least one weight must be positive");
  check_squares(data);
}

void check_cluster_count(std::string_view key, const std::optional<std::uint64_t>& k, const Dataset& data) {
  if (k && *k > data.n_rows()) {
    throw OptionError(format_text("{} is {}, but the data has {}; choose 1 to {}", option(key), *k,
                                  counted(data.n_rows(), "row"), data.n_rows()));
  }
}

void check_labels(std::span<const std::int32_t> labels, const Dataset& data) {
  if (labels.size() != data.n_rows()) {
    throw DataError(
        fmt::format("{} given, but the data has {}", counted(labels.size(), "label"), counted(data.n_rows(), "row")));
  }
}

bool has_one_scale(std::string_view family) {
  const FamilyEntry* const entry = find_family(family);
  return entry != nullptr && entry->has_one_scale;
}

bool was_stopped(const Fit& fit) {
  return fit.stop_reason == StopReason::time_limit || fit.stop_reason == StopReason::cancelled;
}

Text why_fewer_clusters(const Fit& fit, std::uint64_t asked_for, const Dataset& data, const Text& else_why) {
  const std::size_t k = fit.model.k();
  const std::string found = fmt::format("found {} {}, not {}", k, k == 1 ? "cluster" : "clusters", asked_for);
  if (was_stopped(fit)) {
    return fmt::format("{}: the fit was stopped before there were {}", found, k < asked_for ? "more" : "fewer");
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (data.weight(row) > 0.0) rows.push_back(row);
  }
  LocalExecution local(fit.threads);
  const std::size_t n_different = rows.size() - summarize_table(local.get(), choose_rows(data, rows)).n_duplicates;
  if (n_different > k && !fit.converged) return format_text("{}: the fit was stopped at {max_iterations}", found);
  if (n_different > k) return format_text("{}: {}", found, else_why);
  return fmt::format("{}: the table has no more than {} different {}", found, n_different,
                     n_different == 1 ? "row" : "rows");
}

double check_row_counts(const Dataset& data) {
  constexpr double least = 1e-6;
  constexpr double most = 1e12;  // log-gammas of so many rows are good to a hundredth of a nat, which decisions go by
  const double total = check_weights(data).total;
  if (total >= least && total <= most) return total;
  if (total < least) {
    throw DataError(fmt::format(
        "all rows together weigh {:g}: weights count rows here, and less than {:g} of one tells nothing; multiply the "
        "weights by a constant",
        total, least));
  }
  if (data.weights().empty()) throw LimitError(fmt::format("{} rows are more than can be counted", data.n_rows()));
  const auto heaviest = std::ranges::max_element(data.weights());
  throw DataError(fmt::format(
      "row {} weighs {:g}, and all rows together {:g}: weights count rows here, and more than {:g} cannot be told from "
      "one more; divide the weights by a constant",
      heaviest - data.weights().begin() + 1, *heaviest, total, most));
}

std::vector<Text> light_weight_warnings(const Dataset& data) {
  const double total = total_weight(data);
  if (data.weights().empty() || total >= 2.0) return {};
  return {
      fmt::format("all rows together weigh {:.3g}, as much as {:.3g} of a row: weights count rows, and so few tell no "
                  "clusters apart; if they are shares, multiply them by the number of rows",
                  total, total)};
}

std::vector<Text> constant_column_warnings(const Dataset& data) {
  const std::vector<std::size_t> columns = constant_columns(data);
  if (columns.empty()) return {};
  if (columns.size() == 1) {
    return {fmt::format("column {} is constant: it tells no cluster from another", some_columns(data, columns))};
  }
  return {fmt::format("{} columns are constant: they tell no cluster from another ({})", columns.size(),
                      some_columns(data, columns))};
}

namespace {

// Of rows that lie evenly over the table: a column that spreads a hundred times as wide as another does so in them.
std::vector<double> deviations_of_some(const Dataset& data) {
  constexpr std::size_t most_rows = 100000;
  const std::size_t step = (data.n_rows() + most_rows - 1) / most_rows;
  std::vector<double> deviations;
  for (std::size_t column = 0; column < data.n_columns(); ++column) {
    double weight = 0.0;
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < data.n_rows(); row += step) {
      if (!(data.weight(row) > 0.0)) continue;
      // Welford's update with weights: one pass, and no difference of large squares.
      weight += data.weight(row);
      const double from_mean = data.value(row, column) - mean;
      mean += from_mean * data.weight(row) / weight;
      squares += data.weight(row) * from_mean * (data.value(row, column) - mean);
    }
    deviations.push_back(weight > 0.0 ? std::sqrt(std::max(0.0, squares) / weight) : 0.0);
  }
  return deviations;
}

// By pca or project: such columns have one unit, and some are narrow because the table is.
bool are_projections(const Dataset& data) {
  const auto are_named = [&](std::string_view prefix) {
    std::size_t number = 0;
    return std::ranges::all_of(
        data.columns(), [&](const Column& column) { return column.name == fmt::format("{}{}", prefix, ++number); });
  };
  return are_named("pc") || are_named("p");
}

}  // namespace

std::vector<Text> unlike_scale_warnings(const Dataset& data, std::string_view clusters) {
  constexpr double unlike = 100.0;
  if (data.is_sparse() || data.n_columns() < 2 || are_projections(data)) return {};
  const std::vector<double> deviations = deviations_of_some(data);
  std::size_t widest = 0;
  std::optional<std::size_t> narrowest;
  for (std::size_t column = 0; column < deviations.size(); ++column) {
    if (deviations[column] > deviations[widest]) widest = column;
    if (!(deviations[column] > 0.0)) continue;  // constant
    if (!narrowest || deviations[column] < deviations[*narrowest]) narrowest = column;
  }
  if (!narrowest || !(deviations[widest] > unlike * deviations[*narrowest])) return {};
  return {format_text(
      "column '{}' spreads {:.2g} times as wide as '{}': {} see the widest columns alone; {transform=standardize} "
      "gives all columns one scale",
      data.columns()[widest].name, deviations[widest] / deviations[*narrowest], data.columns()[*narrowest].name,
      clusters)};
}

}  // namespace coppice::internal
