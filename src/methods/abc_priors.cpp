// SPDX-License-Identifier: BSD-3-Clause
#include "methods/abc_priors.hpp"

#include "methods/bkm_priors.hpp"

namespace coppice {

BayesianKMeans as_bayesian_kmeans(const AgglomerativeBayesian& method) {
  BayesianKMeans same;
  same.k = method.k;
  same.family = method.family;
  same.partition = method.partition;
  same.phi0 = method.phi0;
  same.alpha = method.alpha;
  same.prior = method.prior;
  same.xi0 = method.xi0;
  same.eta0 = method.eta0;
  same.m0 = method.m0;
  same.b0 = method.b0;
  same.psi0 = method.psi0;
  same.omega0 = method.omega0;
  return same;
}

std::vector<std::unique_ptr<AdjustablePrior>> abc_priors(const Execution& execution, const Rows& rows,
                                                         const AgglomerativeBayesian& method) {
  const BayesianKMeans same = as_bayesian_kmeans(method);
  const std::vector<std::string> families = competing_families(same, rows.data());
  if (method.prior != "paper" || is_discrete(families.front())) {
    return make_priors(execution, rows, same, families, PriorUse::tree);
  }
  std::vector<std::unique_ptr<AdjustablePrior>> priors;
  priors.push_back(paper_gaussian(execution, rows, same, PaperRule::bottom_up));
  return priors;
}

}  // namespace coppice
