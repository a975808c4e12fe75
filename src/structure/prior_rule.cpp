// SPDX-License-Identifier: BSD-3-Clause
// The rules of prior_rule.hpp ([L] Eqs. 21 and 22): B0 = d_small^2 D S / trace(S) top-down, 0.01 d_small^2 I bottom-up.
// Both fail for tables that the paper does not think of: repeated rows make d_small zero, constant or dependent columns
// make S singular (docs/errata.md, 7). Each such case has a value here that is positive definite and scales with the
// data.

#include "coppice/structure/prior_rule.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/kernels/moments.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/smallest_distances.hpp"

namespace coppice::internal {

namespace {

std::vector<double> identity(std::size_t d) {
  std::vector<double> matrix(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) matrix[i * d + i] = 1.0;
  return matrix;
}

double trace(const std::vector<double>& matrix, std::size_t d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) sum += matrix[i * d + i];
  return sum;
}

// Whether the covariance has an inverse worth having: every column keeps some variance of its own given those before
// it.
bool is_invertible(const std::vector<double>& covariance, std::size_t d) {
  const auto n = static_cast<Eigen::Index>(d);
  const Eigen::Map<const Eigen::MatrixXd> matrix(covariance.data(), n, n);
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::VectorXd own = factor.matrixLLT().diagonal().array().square() / matrix.diagonal().array();
  return own.minCoeff() > 1e-10;
}

// Whether some column varies by no more than the rounding of its mean.
bool has_constant_column(const DataMoments& moments) {
  const std::size_t d = moments.mean.size();
  for (std::size_t i = 0; i < d; ++i) {
    if (moments.covariance[i * d + i] <= 1e-20 * moments.mean[i] * moments.mean[i]) return true;
  }
  return false;
}

}  // namespace

DataMoments data_moments(const Execution& execution, const Rows& rows) {
  const std::size_t d = rows.n_columns();
  // Any prior will do: only its statistics are used.
  const FamilyAdapter<Gaussian> gaussian(
      Gaussian({std::vector<double>(d, 0.0), 1.0, static_cast<double>(d), identity(d)}));
  const std::vector<std::int32_t> labels(rows.size(), 0);
  const Units units(rows);
  const StatsArena stats = statistics_of_list(execution, Subset(units), gaussian, labels, 1);

  DataMoments moments{stats.weight(0),
                      std::vector<double>(stats[0].begin() + 1, stats[0].begin() + 1 + static_cast<std::ptrdiff_t>(d)),
                      std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d && moments.weight > 0.0; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      moments.covariance[i * d + j] = moments.covariance[j * d + i] =
          stats[0][1 + d + kernels::packed_index(i, j)] / moments.weight;
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    if (std::isfinite(moments.mean[i]) && std::isfinite(moments.covariance[i * d + i])) continue;
    throw DataError(
        fmt::format("column '{}' holds values so large that their squares overflow; divide it by a constant",
                    rows.data().columns()[i].name));
  }
  return moments;
}

std::vector<double> paper_b0(const DataMoments& moments, double small_distance, PaperRule rule) {
  const std::size_t d = moments.mean.size();
  const auto dimension = static_cast<double>(d);
  const double total_variance = trace(moments.covariance, d);
  if (!(total_variance > 0.0)) return identity(d);  // one row, or all rows equal
  // No two rows differ, or there was no time to look: a thousandth of the typical deviation.
  if (!(small_distance > 0.0)) small_distance = 1e-3 * std::sqrt(total_variance / dimension);
  if (rule == PaperRule::bottom_up) {
    std::vector<double> round = identity(d);
    for (double& value : round) value *= 0.01 * small_distance * small_distance;
    return round;
  }

  std::vector<double> b0 = moments.covariance;
  if (!is_invertible(b0, d) || has_constant_column(moments)) {
    const double ridge = 1e-6 * total_variance / dimension;
    for (std::size_t i = 0; i < d; ++i) b0[i * d + i] += ridge;
  }
  constexpr double share_of_covariance = 0.1;
  const double scale = rule == PaperRule::infinite_mixture ? share_of_covariance
                                                           : small_distance * small_distance * dimension / trace(b0, d);
  for (double& value : b0) value *= scale;
  return b0;
}

namespace {

// A stop while neighbours are looked up leaves the rule's value for "no distance known": a prior is needed all the
// same.
double small_distance_unless_stopped(const Execution& execution, const Rows& rows, const KdTree* tree) {
  constexpr std::size_t rows_per_leaf = 32;
  try {
    std::optional<KdTree> own;
    if (tree == nullptr) tree = &own.emplace(execution, rows, rows_per_leaf);
    return mean_smallest_distance(execution, *tree, neighbour_queries(execution, tree->rows().data()));
  } catch (const Stopped&) {
    return 0.0;
  }
}

}  // namespace

NormalWishart paper_prior(const Execution& execution, const Rows& rows, const GaussianPriorChoices& choices,
                          const KdTree* tree, PaperRule rule) {
  const std::size_t d = rows.n_columns();
  if (!choices.m0.empty() && choices.m0.size() != d) {
    throw OptionError(
        format_text("{m0} has {}, but the data has {}", counted(choices.m0.size(), "value"), counted(d, "column")));
  }
  const DataMoments moments = data_moments(execution.unstoppable(), rows);
  NormalWishart prior;
  const bool is_of_mixture = rule == PaperRule::infinite_mixture;
  prior.xi0 = choices.xi0.value_or(rule == PaperRule::top_down ? 0.1 : 0.01);
  prior.eta0 = choices.eta0.value_or(static_cast<double>(is_of_mixture ? d + 2 : d));
  prior.m0 = choices.m0.empty() ? moments.mean : choices.m0;
  // m0 by hand is in the table's columns, rows are less their origin.
  for (std::size_t c = 0; c < choices.m0.size(); ++c) prior.m0[c] -= rows.origin()[c];
  prior.b0 = choices.b0;
  if (prior.b0.empty()) {
    prior.b0 = paper_b0(moments, is_of_mixture ? 0.0 : small_distance_unless_stopped(execution, rows, tree), rule);
    if (is_of_mixture) {
      for (double& value : prior.b0) value *= prior.eta0;
    }
  }
  return prior;
}

}  // namespace coppice::internal
