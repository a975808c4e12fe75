// SPDX-License-Identifier: BSD-3-Clause
// Priors over partitions by themselves.
#include <numeric>

#include "coppice/partition/partition_prior.hpp"
#include "kinds.hpp"

namespace coppice::golden {

namespace {

double log_probability(const PartitionPrior& prior, const std::vector<double>& sizes) {
  return -prior.objective(sizes, std::accumulate(sizes.begin(), sizes.end(), 0.0));
}

Json partition_prior(const Json& inputs) {
  const auto dirichlet = make_dirichlet(inputs.at("phi0").get<double>());
  const auto process = make_dirichlet_process(inputs.at("alpha").get<double>());
  const auto k = inputs.at("K").get<std::size_t>();
  Json result = {{"dirichlet", Json::array()}, {"crp", Json::array()}};
  for (const Json& counts : inputs.at("counts")) {
    auto sizes = counts.get<std::vector<double>>();
    result["crp"].push_back(log_probability(*process, sizes));
    std::erase(sizes, 0.0);
    sizes.resize(k, 0.0);  // the empty clusters count only through K
    result["dirichlet"].push_back(log_probability(*dirichlet, sizes));
  }
  return result;
}

}  // namespace

void add_partition_kinds(Kinds& kinds) { kinds["partition_prior"] = partition_prior; }

}  // namespace coppice::golden
