// SPDX-License-Identifier: BSD-3-Clause
// The laws by which starting centres are drawn.
#include "coppice/runtime/local_execution.hpp"
#include "coppice/seeding/afk_mc2.hpp"
#include "coppice/seeding/farthest_first.hpp"
#include "coppice/seeding/kmeanspp.hpp"
#include "inputs.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

Json seeding(const Json& inputs) {
  const Rows rows = to_rows(inputs.at("X"));
  const auto chosen = inputs.at("chosen").get<std::vector<std::size_t>>();
  LocalExecution local(1);
  const std::vector<double> law = squared_distance_law(local.get(), rows, chosen);
  const std::vector<double> proposal = afk_proposal(local.get(), rows, chosen.front());
  std::vector<ChainState> states;
  for (std::size_t row = 0; row < rows.size(); ++row) states.push_back({law[row], proposal[row]});

  Json result = {{"kmeanspp_probs", law}, {"afk_proposal", proposal}};
  for (const Json& length : inputs.at("chain_lengths")) {
    result["afk_chain_law"].push_back(chain_law(states, length.get<std::size_t>()));
  }
  for (const Json& k : inputs.at("target_K")) {
    result["farthest_first_lambda2"].push_back(farthest_first_lambda2(local.get(), rows, k.get<std::size_t>()));
  }
  return result;
}

}  // namespace

void add_seeding_kinds(Kinds& kinds) { kinds["seeding"] = seeding; }

}  // namespace coppice::golden
