// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// New rows from a model, as likely as the model says: of a component by its share, and of that component by its
// predictive density. The parameters of Bayesian clusters are integrated out, those of gmm are the fitted ones.
//
//   Generated made = sample(fit.model, {.n_rows = 1000, .seed = 7});
//   made.data, made.labels
//
// Rows are in the columns of the input: transforms are undone where they have an inverse (an approximate one leaves the
// rows in the subspace that the transforms keep), else rows are in the columns that were clustered
// (Model::mean_columns()). They depend on the seed alone, and fewer rows are the first of more.

#include <cstddef>
#include <cstdint>

#include "coppice/data/generate.hpp"
#include "coppice/model/model.hpp"

namespace coppice {

struct SampleOptions {
  std::size_t n_rows = 1000;
  std::uint64_t seed = 0;
  // To as many decimals as the rows of the fit had; whole numbers from 0 on in columns of counts, 0 or 1 in columns of
  // bits.
  bool is_rounded = true;
  bool is_sparse = false;  // a sparse table, for rows of mostly zeros
};

// Labels: that of the row's cluster, the number of clusters for a cluster not seen yet, -1 for the background.
// OptionError if the model has no density, or its family cannot make rows; LimitError if they do not fit into memory.
[[nodiscard]] Generated sample(const Model& model, const SampleOptions& options = {}, std::size_t threads = 0);

}  // namespace coppice
