// SPDX-License-Identifier: BSD-3-Clause
// Scores of a clustering, or of a tree, against the truth.
#include <algorithm>

#include "coppice/evaluate/adjusted_mutual_information.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/evaluate/dendrogram_purity.hpp"
#include "coppice/evaluate/normalized_mutual_information.hpp"
#include "coppice/evaluate/purity.hpp"
#include "kinds.hpp"

namespace coppice::golden {

namespace {

Json partition_scores(const Json& inputs) {
  const auto labels = inputs.at("pred").get<std::vector<std::int32_t>>();
  const auto truth = inputs.at("truth").get<std::vector<std::int32_t>>();
  const evaluate::Contingency table = evaluate::contingency(labels, truth);
  return {{"nmi", evaluate::normalized_mutual_information(table)},
          {"ami", evaluate::adjusted_mutual_information(table)},
          {"ari", evaluate::adjusted_rand_index(table)},
          {"purity", evaluate::purity(table)}};
}

// Merges as pairs of nodes; heights do not matter here.
Dendrogram to_tree(const Json& merges, std::size_t n_leaves) {
  Dendrogram tree{n_leaves, {}};
  const auto size_of = [&](std::uint32_t node) { return node < n_leaves ? 1.0 : tree.merges.at(node - n_leaves).size; };
  for (const Json& merge : merges) {
    const auto a = merge.at(0).get<std::uint32_t>();
    const auto b = merge.at(1).get<std::uint32_t>();
    tree.merges.push_back({std::min(a, b), std::max(a, b), 0.0, size_of(a) + size_of(b)});
  }
  return tree;
}

Json dendrogram(const Json& inputs) {
  const auto labels = inputs.at("labels").get<std::vector<std::int32_t>>();
  const evaluate::DendrogramPurity purity =
      evaluate::dendrogram_purity(to_tree(inputs.at("merges"), labels.size()), labels);
  return {{"purity_leaf", purity.leaf}, {"purity_pairs", purity.pairs}};
}

}  // namespace

void add_evaluate_kinds(Kinds& kinds) {
  kinds["partition_scores"] = partition_scores;
  kinds["dendrogram"] = dendrogram;
}

}  // namespace coppice::golden
