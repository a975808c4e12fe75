// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The methods that can be named on the command line. A new one needs its place in AllMethods and nothing else.

#include <string_view>

#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/methods/linkages.hpp"

namespace coppice::cli {

template <class... Methods>
struct MethodList {
  // Calls visit(Method{}) for every method.
  template <class Visit>
  static void for_each(const Visit& visit) {
    (visit(Methods{}), ...);
  }
};

using AllMethods = MethodList<BayesianKMeans, AgglomerativeBayesian, KMeans, GaussianMixtureEm, SingleLinkage,
                              CompleteLinkage, AverageLinkage, WardLinkage>;

inline constexpr std::string_view default_method = BayesianKMeans::name;

}  // namespace coppice::cli
