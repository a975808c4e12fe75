// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/linkages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/infer/journal.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/score_by_centres.hpp"

namespace coppice {
using namespace internal;

namespace {

// A row without weight is no cluster of its own.
void check_number(const Dataset& data, std::uint64_t k) {
  check_cluster_count("k", k, data);
  std::uint64_t n_weighing = 0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) n_weighing += data.weight(row) > 0.0 ? 1 : 0;
  if (k > n_weighing) {
    throw OptionError(format_text("{k} is {}, but weight lies on {} only; choose 1 to {}", k,
                                  counted(n_weighing, "row"), n_weighing));
  }
}

void check(const Dataset& data, Linkage kind, const TreeCut& where) {
  check_numeric(data, to_string(kind));
  if (where.k && where.height)
    throw OptionError(format_text("{k} and {height} are two ways to cut one tree; give one of them"));
  if (where.k) check_number(data, *where.k);
}

// Shows now and then the clusters that the merges so far have made: centres, and the squares about them.
class MergeReport {
 public:
  MergeReport(const Execution& execution, const Rows& rows, Journal& journal)
      : execution_(execution),
        rows_(rows),
        journal_(journal),
        step_(std::max<std::size_t>(1, rows.size() / n_reports)) {}

  void operator()(const MergesSoFar& merges) const {
    if (merges.n_merges % step_ != 0) return;
    State state;
    state.objective = std::numeric_limits<double>::quiet_NaN();  // which takes a pass over the rows
    if (journal_.has_observer()) take_clusters(merges.labels(), state);
    state.progress = journal_.now("merge", merges.n_clusters, state.objective);
    journal_.show(state);
  }

 private:
  static constexpr std::size_t n_reports = 1000;

  void take_clusters(std::vector<std::int32_t> labels, State& state) const {
    const FamilyAdapter<Centroid> family{Centroid(rows_.n_columns())};
    const Units units(rows_);
    const std::size_t k = static_cast<std::size_t>(std::ranges::max(labels)) + 1;
    state.labels = Labels(std::move(labels));
    state.stats = statistics_of(execution_, units, family, state.labels, k);
    state.objective = Problem{units, family, *make_no_partition_prior(), 0.0}.objective(execution_, state.stats);
  }

  Execution execution_;
  const Rows& rows_;
  Journal& journal_;
  std::size_t step_;
};

struct Level {
  std::size_t k = 1;
  Text why;
};

Level level_of(const Dendrogram& tree, const TreeCut& where) {
  if (where.k)
    return {static_cast<std::size_t>(*where.k), fmt::format("the tree was cut into {}", counted(*where.k, "cluster"))};
  if (where.height) {
    return {clusters_at_height(tree, *where.height), fmt::format("the tree was cut at height {}", *where.height)};
  }
  const std::size_t k = clusters_at_widest_gap(tree);
  if (k == 1) return {k, "there is no gap between heights to cut the tree at"};
  return {k, fmt::format("the tree was cut at the widest gap between heights, {:.6g} to {:.6g}",
                         tree.merges[tree.n_leaves - k - 1].height, tree.merges[tree.n_leaves - k].height)};
}

// The clusters of a labelling as centres, largest first.
Fit with_centres(const Execution& execution, const Rows& rows, Linkage kind, std::vector<std::int32_t> labels,
                 std::size_t k) {
  const FamilyAdapter<Centroid> family{Centroid(rows.n_columns())};
  const std::unique_ptr<PartitionPrior> partition = make_no_partition_prior();
  const Units units(rows);
  const Problem problem{units, family, *partition, total_weight(rows.data())};
  const StatsArena stats = statistics_of_list(execution, Subset(units), family, labels, k);
  NumberedLabels numbered = number_by_size(family, std::move(labels), stats);
  const double objective = problem.objective(numbered.stats);
  return with_model(to_string(kind), execution, rows, problem, std::move(numbered.stats), objective,
                    std::move(numbered.labels));
}

Fit from_tree(const Execution& execution, const Rows& rows, Linkage kind, const TreeCut& where, LinkageTree found) {
  const Level level = level_of(found.tree, where);
  Fit result = with_centres(execution, rows, kind, cut(found.tree, level.k), level.k);
  result.converged = true;
  result.counters.distances = found.distances;
  result.counters.merges_tried = result.counters.merges_accepted = found.tree.merges.size();
  result.assign = {"tree", level.why};
  result.hierarchy = Hierarchy{std::move(found.tree)};
  return result;
}

}  // namespace

std::size_t clusters_at_height(const Dendrogram& tree, double height) {
  const auto made = std::ranges::upper_bound(tree.merges, height, {}, &Merge::height) - tree.merges.begin();
  return tree.n_leaves - static_cast<std::size_t>(made);
}

std::size_t clusters_at_widest_gap(const Dendrogram& tree) {
  std::size_t k = 1;
  double widest = 0.0;
  for (std::size_t i = tree.merges.size(); i-- > 1;) {  // from the top: of equal gaps the one with fewer clusters
    const double gap = tree.merges[i].height - tree.merges[i - 1].height;
    if (gap <= widest) continue;
    widest = gap;
    k = tree.n_leaves - i;
  }
  return k;
}

Fit fit_linkage(const Dataset& data, Linkage kind, const TreeCut& where, const RunOptions& run) {
  check(data, kind, where);
  check_options(run);
  Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  const double prepare_seconds = watch.lap();
  Journal journal(journal_of(run));
  journal.set_model(FamilyAdapter<Centroid>(Centroid(rows.n_columns())), *make_no_partition_prior());
  const MergeReport report(local.get(), rows, journal);
  LinkageTree tree = linkage(local.get(), rows, kind, std::cref(report));  // Stopped on the way, there is no clustering
  journal.tell_of_result();
  // Few numbers are left to add up.
  Fit result = from_tree(local.get().unstoppable(), rows, kind, where, std::move(tree));
  result.threads = local.get().n_threads();
  result.seconds = {prepare_seconds, watch.lap()};
  result.trace = {{.phase = "merge",
                   .k = result.model.k(),
                   .objective = result.model.objective(),
                   .seconds = result.seconds.fit,
                   .distances = result.counters.distances}};
  std::vector<Text> warnings = constant_column_warnings(data);
  for (Text& warning : unlike_scale_warnings(data, "distances")) warnings.push_back(std::move(warning));
  result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
  return result;
}

double score_linkage(const Dataset& data, std::span<const std::int32_t> labels, Linkage kind, const RunOptions& run) {
  return score_by_centres(data, labels, to_string(kind), run);
}

}  // namespace coppice
