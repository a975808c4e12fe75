// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of clusters of counts and of bits.

#include <memory>
#include <optional>
#include <vector>

#include "coppice/family/row_sampler.hpp"

namespace coppice::internal {

// A row of words whose probabilities are from a Dirichlet, integrated out: each word is drawn in proportion to the
// column's pseudo-count and the words so far (Polya's urn).
struct Urn {
  std::vector<double> running;  // sums of pseudo-counts, column by column; the last is that of all
  double mean_words = 0.0;      // how many words a row has is Poisson about it, unless all rows have the same number
};
[[nodiscard]] std::unique_ptr<RowSampler> urn_sampler(std::vector<Urn> clusters, std::optional<double> words);

// Independent bits: the probability of a 1 in every column, cluster by cluster.
[[nodiscard]] std::unique_ptr<RowSampler> bit_sampler(std::vector<std::vector<double>> ones);

}  // namespace coppice::internal
