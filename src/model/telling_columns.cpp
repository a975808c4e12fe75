// SPDX-License-Identifier: BSD-3-Clause
// Which columns set a cluster apart from all rows: by the divergence of two normals, column by column. A guide for
// people, no part of any decision.

#include "coppice/model/telling_columns.hpp"

#include <algorithm>
#include <cmath>

namespace coppice::internal {

namespace {

constexpr std::size_t most_told = 5;

// KL of N(mean, variance) from N(mean0, variance0). A column that is constant inside the cluster would score infinity:
// its variance counts as a billionth of the data's.
double divergence(double mean, double variance, double mean0, double variance0) {
  if (!(variance0 > 0.0)) return 0.0;
  const double ratio = std::max(variance / variance0, 1e-9);
  const double shift = (mean - mean0) * (mean - mean0) / variance0;
  return (ratio + shift - 1.0 - std::log(ratio)) / 2.0;
}

}  // namespace

std::vector<std::vector<TellingColumn>> telling_columns(const Model& model) {
  const Components& components = model.components();
  std::vector<double> everything(components.stats_size(), 0.0);
  for (std::size_t c = 0; c < model.k(); ++c) components.merge(everything, model.stats()[c]);
  const ColumnMoments whole = components.column_moments(everything);

  std::vector<std::vector<TellingColumn>> told;
  for (std::size_t c = 0; c < model.k(); ++c) {
    const ColumnMoments own = components.column_moments(model.stats()[c]);
    std::vector<TellingColumn> scores;
    for (std::size_t d = 0; d < model.n_columns(); ++d) {
      scores.push_back({d, divergence(own.mean[d], own.variance[d], whole.mean[d], whole.variance[d])});
    }
    std::ranges::stable_sort(scores, std::ranges::greater{}, &TellingColumn::score);
    scores.resize(std::min(scores.size(), most_told));
    told.push_back(std::move(scores));
  }
  return told;
}

}  // namespace coppice::internal
