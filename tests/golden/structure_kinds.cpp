// SPDX-License-Identifier: BSD-3-Clause
// The search for clusters: criteria, the start of a split, agglomeration, priors informed by the data, and linkages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/family/adapter.hpp"
#include "coppice/structure/agglomerate.hpp"
#include "coppice/structure/criteria.hpp"
#include "coppice/structure/linkage.hpp"
#include "coppice/structure/prior_rule.hpp"
#include "coppice/structure/smallest_distances.hpp"
#include "coppice/structure/split.hpp"
#include "labelled_case.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

Json criteria(const Json& inputs) {
  const auto k = inputs.at("K").get<std::size_t>();
  LabelledCase test(inputs, make_dirichlet(inputs.at("phi0").get<double>()), k);
  const SplitMergeCriteria result = split_merge_criteria(test.execution(), test.problem(), test.stats());
  return {{"J_split", result.split}, {"J_merge", to_matrix(result.merge, k)}};
}

// Any prior: the direction follows from the statistics alone.
FamilyAdapter<Gaussian> any_gaussian(std::size_t d) {
  NormalWishart prior{std::vector<double>(d, 0.0), 1.0, static_cast<double>(d), std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d; ++i) prior.b0[i * d + i] = 1.0;
  return FamilyAdapter<Gaussian>(Gaussian(std::move(prior)));
}

// mean + direction sd and mean - direction sd
Json centroids(const std::vector<double>& mean, const SplitAxis& axis) {
  Json result = Json::array();
  for (const double sign : {1.0, -1.0}) {
    Json centroid = Json::array();
    for (std::size_t i = 0; i < mean.size(); ++i) {
      centroid.push_back(mean[i] + sign * axis.direction[i] * std::sqrt(axis.variance));
    }
    result.push_back(centroid);
  }
  return result;
}

Json split_init(const Json& inputs) {
  const Rows rows = to_rows(inputs.at("X"));
  const Units units(rows);
  const FamilyAdapter<Gaussian> components = any_gaussian(rows.n_columns());
  const auto partition = make_dirichlet(1.0);
  LocalExecution execution(1);
  const StatsArena stats = statistics_of(execution.get(), units, components, one_label(units), 1);
  const Problem problem{units, components, *partition, static_cast<double>(rows.size())};
  const Assignment sides =
      divide(execution.get(), Subset(units), components, principal_plane(problem, stats[0], Subset(units)));
  const SplitAxis axis = components.split_axis(stats[0]).value();
  return {{"eigenvalue", axis.variance},
          {"direction", axis.direction},
          {"centroids", centroids(components.column_moments(stats[0]).mean, axis)},
          {"labels", sides.labels.by_row()}};
}

// Where the rows of the table stand in the tree.
std::vector<std::size_t> places_of(const KdTree& tree, const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> places;
  for (const std::size_t row : rows) {
    const auto found = std::ranges::find(tree.order(), row);
    if (found == tree.order().end()) throw std::out_of_range("a query is not a row of X");
    places.push_back(static_cast<std::size_t>(found - tree.order().begin()));
  }
  return places;
}

Json hyper_rules(const Json& inputs) {
  const Rows rows = to_rows(inputs.at("X"));
  LocalExecution execution(1);
  const KdTree tree(execution.get(), rows, 32);
  const auto queries = inputs.at("query_rows").get<std::vector<std::size_t>>();
  const double small_distance = mean_smallest_distance(execution.get(), tree, places_of(tree, queries));
  const DataMoments moments = data_moments(execution.get(), rows);
  return {{"d_small", small_distance},
          {"m0", moments.mean},
          {"B0_top_down", to_matrix(paper_b0(moments, small_distance), rows.n_columns())},
          {"B0_bottom_up", to_matrix(paper_b0(moments, small_distance, PaperRule::bottom_up), rows.n_columns())}};
}

// Every structure for closest pairs has to agree with the case.
Json abc(const Json& inputs) {
  const Rows rows = to_rows(inputs.at("X"));
  const auto components = to_components(inputs.at("family"));
  const auto partition = to_partition(inputs.at("prior"));
  LocalExecution execution(1);
  std::vector<Agglomeration> results;
  for (const char* pairs : {"naive", "fastpair", "conga"}) {
    results.push_back(agglomerate(execution.get(), *components, *partition,
                                  row_statistics(execution.get(), *components, rows), {.pairs = pairs}));
    if (results.back().tree != results.front().tree) throw std::logic_error(fmt::format("{} differs", pairs));
  }
  Json merges = Json::array();
  for (const Merge& merge : results.front().tree.merges) merges.push_back({merge.a, merge.b});
  return {{"merges", merges},
          {"free_energy", results.front().objective},
          {"best_K", least_objective_k(results.front().objective, rows.size())}};
}

Json tree_json(const Dendrogram& tree) {
  Json merges = Json::array();
  Json heights = Json::array();
  for (const Merge& merge : tree.merges) {
    merges.push_back({merge.a, merge.b});
    heights.push_back(merge.height);
  }
  return {{"merges", merges}, {"heights", heights}};
}

Json linkages(const Json& inputs) {
  const Rows rows = to_rows(inputs.at("X"));
  LocalExecution execution(1);
  Json result;
  for (const Linkage kind : {Linkage::single, Linkage::complete, Linkage::average, Linkage::ward}) {
    result[std::string(to_string(kind))] = tree_json(linkage(execution.get(), rows, kind).tree);
  }
  return result;
}

}  // namespace

void add_structure_kinds(Kinds& kinds) {
  kinds["linkages"] = linkages;
  kinds["split_merge_criteria"] = criteria;
  kinds["split_init"] = split_init;
  kinds["hyper_rules"] = hyper_rules;
  kinds["abc"] = abc;
}

}  // namespace coppice::golden
