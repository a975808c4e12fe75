// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/abc.hpp"

#include <fmt/format.h>

#include "coppice/data/choose_rows.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/labelling_score.hpp"
#include "coppice/structure/tree_search.hpp"
#include "coppice/structure/weightless_leaves.hpp"
#include "methods/abc_over_model.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/mixture_options.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t most_rows = 200000;  // hours: keys grow with the square

std::vector<std::size_t> rows_with_weight(const Dataset& data) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (data.weight(row) > 0.0) rows.push_back(row);
  }
  return rows;
}

void check_size(const Dataset& data, const AgglomerativeBayesian& method) {
  const std::size_t n_rows = rows_with_weight(data).size();
  if (n_rows > most_rows) {
    throw LimitError(format_text(
        "abc compares all pairs of rows, and {} rows are too many (the limit is {}); find small clusters with '{fit()} "
        "{method=bkm}' first and build the tree above them with '{fit()} {method=abc} {start_from=MODEL}'",
        n_rows, most_rows));
  }
  if (method.look_ahead > 1 && n_rows > most_clusters_to_look_ahead) {
    throw LimitError(
        format_text("{} takes too long for {} rows (the limit is {}); leave it out, or use "
                    "{start_from} a model of fewer clusters",
                    option("look_ahead", method.look_ahead), n_rows, most_clusters_to_look_ahead));
  }
  if (method.k && *method.k > n_rows) {
    throw OptionError(format_text("{k} is {}, but weight lies on {} only", *method.k, counted(n_rows, "row")));
  }
}

// Single rows must have an evidence.
void check_family(const Dataset& data, const AgglomerativeBayesian& method) {
  if (method.family == "auto" || family_entry(method.family).starts_trees) return;
  throw OptionError(
      format_text("{} has no evidence for clusters of fewer than {} rows, and abc starts from single rows; choose "
                  "gaussian, diagonal "
                  "or spherical, or give a model of that family with {start_from}",
                  option("family", method.family), data.n_columns() + 1));
}

void check(const Dataset& data, const AgglomerativeBayesian& method) {
  check_options(method);
  check_table(data, AgglomerativeBayesian::name);
  (void)check_row_counts(data);
  if (method.start_from) return check_model(method);
  check_cluster_count("k", method.k, data);
  check_size(data, method);
  check_family(data, method);
  check_spec(mixture_spec(method, PriorUse::agglomeration), data);
}

AssignReport report_of(const AgglomerativeBayesian& method) {
  if (method.look_ahead > 1) return {"pairs", fmt::format("looking {} merges ahead", method.look_ahead)};
  const std::string pairs = method.pairs == "auto" ? "fastpair" : method.pairs;
  return {"pairs", fmt::format("closest pairs by {}", pairs)};
}

// The tree over the rows that weigh something; the others join it at the end.
Fit fit_rows(const Rows& rows, const AgglomerativeBayesian& method, LocalExecution& local, const RunOptions& run) {
  const Stopwatch watch;
  const std::vector<std::size_t> heavy = rows_with_weight(rows.data());
  const bool are_all = heavy.size() == rows.size();
  const Rows leaves =
      are_all ? rows : Rows(choose_rows(rows.data(), heavy), {rows.origin().begin(), rows.origin().end()});
  const MixturePlan plan = make_plan(local.get(), mixture_spec(method, PriorUse::agglomeration), leaves);
  const double planning_seconds = watch.seconds();
  Journal journal(journal_of(run));
  journal.states_are_of_all_rows(are_all);
  TreeSearch search(plan, cut_rule(method), agglomeration_options(method), local, journal);
  search.run();

  State state;
  std::vector<std::int32_t> labels(rows.size(), 0);
  for (std::size_t i = 0; i < heavy.size(); ++i) labels[heavy[i]] = search.labels()[i];
  state.labels = Labels(std::move(labels));
  // Zeros: they say how many clusters there are, and finish_labels adds up the statistics from the labels.
  state.stats = StatsArena(search.k(), search.components().stats_size());
  const Units units(rows);
  const Problem problem{units, search.components(), search.partition(), total_weight(rows.data())};
  Fit fit = finish_labels(AgglomerativeBayesian::name, local.finishing(), rows, problem, state);
  take_account(journal, search.reason(), local.get(), fit);
  fit.iterations = search.hierarchy() ? search.hierarchy()->tree.merges.size() : 0;
  fit.families = search.families();
  fit.seconds.prepare = planning_seconds + search.prepare_seconds();
  fit.hierarchy = search.hierarchy();
  if (fit.hierarchy && !are_all) fit.hierarchy = with_weightless_leaves(*fit.hierarchy, heavy, fit.labels);
  return fit;
}

Fit fit_from_rows(const Dataset& data, const AgglomerativeBayesian& method, const RunOptions& run) {
  const Stopwatch watch;
  const MixtureSpec spec = mixture_spec(method, PriorUse::agglomeration);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const ReadyRows ready = ready_rows(local.get(), spec, data);
  Fit made = fit_rows(ready.rows, method, local, run);
  made.model = made.model.with_transforms(ready.steps);
  made.seconds.fit = watch.seconds() - made.seconds.prepare;
  add_warnings(made, constant_column_warnings(data));
  if (has_one_scale(method.family)) add_warnings(made, unlike_scale_warnings(data, "spherical clusters"));
  if (method.k && made.model.k() != *method.k) {
    made.warnings.push_back(why_fewer_clusters(made, *method.k, data, "no others could be told apart"));
  }
  add_warnings(made, light_weight_warnings(data));
  return made;
}

}  // namespace

Fit fit(const Dataset& data, const AgglomerativeBayesian& method, const RunOptions& run) {
  check(data, method);
  check_options(run);
  Fit result = method.start_from ? fit_over_model(data, method, run) : fit_from_rows(data, method, run);
  result.assign = report_of(method);
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const AgglomerativeBayesian& method,
             const RunOptions& run) {
  check(data, method);
  check_options(run);
  check_labels(labels, data);
  if (method.start_from) return method.start_from->score(data, labels, static_cast<std::size_t>(run.threads));
  const MixtureSpec spec = mixture_spec(method, PriorUse::agglomeration);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const MixturePlan plan = make_plan(local.get(), spec, ready_rows(local.get(), spec, data).rows);
  return score_labelling(local.get(), plan, labels);
}

}  // namespace coppice
