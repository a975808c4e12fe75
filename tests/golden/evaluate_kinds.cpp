// SPDX-License-Identifier: BSD-3-Clause
// Scores of a clustering against the truth.
#include "coppice/evaluate/adjusted_mutual_information.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
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

}  // namespace

void add_evaluate_kinds(Kinds& kinds) { kinds["partition_scores"] = partition_scores; }

}  // namespace coppice::golden
