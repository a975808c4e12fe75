// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which columns set a cluster apart: the Kullback-Leibler divergence in nats of the cluster's marginal (a Gaussian of
// its mean and variance) from the whole data's, column by column.

#include <cstddef>
#include <vector>

#include "coppice/model/model.hpp"

namespace coppice::internal {

struct TellingColumn {
  std::size_t column = 0;
  double score = 0.0;
};

// The (up to) five highest scores of every cluster, highest first.
[[nodiscard]] std::vector<std::vector<TellingColumn>> telling_columns(const Model& model);

}  // namespace coppice::internal
