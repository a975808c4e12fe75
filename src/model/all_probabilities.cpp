// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/model/model.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "model/no_density.hpp"
#include "model/predictive_mixture.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t numbers_per_piece = std::size_t{1} << 22U;  // 32 MB

// Shares of a row's density. The mixture leaves out what has none: a new cluster, a background.
void take_row(const PredictiveMixture& mixture, std::size_t k, std::span<const double> log_joint, double total,
              std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (std::size_t c = 0; c < k; ++c) out[c] = std::exp(log_joint[c] - total);
  if (mixture.has_new_cluster()) out[k] = std::exp(log_joint[k] - total);
  if (out.size() > k + 1) out[k + 1] = std::exp(mixture.background() - total);
}

}  // namespace

std::vector<std::string> Model::probability_names() const {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < k(); ++c) names.push_back(fmt::format("p{}", c));
  names.emplace_back("p_new");
  if (partition().background() != nullptr) names.emplace_back("p_outlier");
  return names;
}

void Model::all_probabilities(const Dataset& rows, const VisitProbabilities& visit, std::size_t threads) const {
  LocalExecution local(threads);
  const Dataset ready = prepared(local.get(), rows);
  const PredictiveMixture mixture(local.get(), *this, ClusterMass::of_evidence);
  const std::size_t width = probability_names().size();
  const std::size_t rows_per_piece = std::max(rows_per_block, numbers_per_piece / width);
  std::vector<double> piece;
  for (std::size_t first = 0; first < ready.n_rows(); first += rows_per_piece) {
    const std::size_t last = std::min(ready.n_rows(), first + rows_per_piece);
    piece.resize((last - first) * width);
    mixture.for_each_row(local.get(), Rows(ready, parts_.origin), {first, last},
                         [&](std::size_t row, std::span<const double> log_joint, double total) {
                           if (!std::isfinite(total)) throw no_density(ready, row);
                           take_row(mixture, k(), log_joint, total,
                                    std::span(piece).subspan((row - first) * width, width));
                         });
    visit(first, piece);
  }
}

std::vector<double> Model::all_probabilities(const Dataset& rows, std::size_t threads) const {
  std::vector<double> all;
  all.reserve(rows.n_rows() * probability_names().size());
  all_probabilities(
      rows,
      [&](std::size_t /*first*/, std::span<const double> piece) { all.insert(all.end(), piece.begin(), piece.end()); },
      threads);
  return all;
}

}  // namespace coppice
