// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/background_label.hpp"
#include "coppice/model/model.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "model/no_density.hpp"
#include "model/predictive_mixture.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t numbers_per_piece = std::size_t{1} << 22U;  // 32 MB

// Shares of a row's density: those that are left out are 0.
void take_row(const PredictiveMixture& mixture, std::size_t k, const PredictiveMixture::OfRow& of,
              std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (std::size_t i = 0; i < of.components.size(); ++i) {
    out[static_cast<std::size_t>(of.components[i])] = std::exp(of.log_joint[i] - of.total);
  }
  if (out.size() > k + 1) out[k + 1] = std::exp(mixture.background() - of.total);
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
  const Rows view(ready, parts_.origin);
  const std::vector<std::int32_t> near =
      mixture.leaves_out() ? nearest(local.get(), ready) : std::vector<std::int32_t>(ready.n_rows(), background_label);
  const std::size_t width = probability_names().size();
  // Whole blocks at least, so that threads have something to share out.
  const std::size_t rows_per_piece = std::max(rows_per_block, numbers_per_piece / width);
  std::vector<double> piece;
  for (std::size_t first = 0; first < ready.n_rows(); first += rows_per_piece) {
    const std::size_t last = std::min(ready.n_rows(), first + rows_per_piece);
    piece.resize((last - first) * width);
    mixture.for_each_row(local.get(), view, {first, std::span(near).subspan(first, last - first)},
                         [&](const PredictiveMixture::OfRow& of) {
                           if (!std::isfinite(of.total)) throw no_density(ready, of.row);
                           take_row(mixture, k(), of, std::span(piece).subspan((of.row - first) * width, width));
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
