// SPDX-License-Identifier: BSD-3-Clause
// What a model says of a row that it was not made from.
#include <cmath>

#include "coppice/data/choose_rows.hpp"
#include "coppice/model/model.hpp"
#include "labelled_case.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

// The case without one of its rows: a cluster of that row alone is gone.
Json without(const Json& inputs, std::size_t row) {
  Json others = inputs;
  others["X"].erase(row);
  others["z"].erase(row);
  return others;
}

Model model_of(const LabelledCase& others) {
  const Problem problem = others.problem();
  return Model({.method = "bkm",
                .columns = others.rows().data().columns(),
                .origin = std::vector<double>(others.rows().n_columns(), 0.0),
                .components = problem.components.clone(),
                .partition = problem.partition.clone(),
                .stats = others.stats(),
                .total_weight = problem.total_weight});
}

// Collapsed Gibbs sampling draws the label of a row by these probabilities.
Json gibbs_conditional(const Json& inputs) {
  if (inputs.at("prior").at("type") != "crp") throw NotBuilt("conditionals with empty clusters");
  const Rows rows = to_rows(inputs.at("X"));
  Json conditionals = Json::array();
  for (const auto point : inputs.at("points").get<std::vector<std::size_t>>()) {
    const LabelledCase others(without(inputs, point));
    const std::vector<double> probabilities =
        model_of(others).all_probabilities(choose_rows(rows.data(), std::vector<std::size_t>{point}));
    Json labels = Json::array();
    for (std::size_t c = 0; c < others.k(); ++c) labels.push_back(others.name(c));
    labels.push_back("new");
    Json log_prob = Json::array();
    for (const double probability : probabilities) log_prob.push_back(std::log(probability));
    conditionals.push_back({{"point", point}, {"labels", labels}, {"log_prob", log_prob}});
  }
  return {{"conditionals", conditionals}};
}

}  // namespace

void add_model_kinds(Kinds& kinds) { kinds["gibbs_conditional"] = gibbs_conditional; }

}  // namespace coppice::golden
