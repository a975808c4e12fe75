// SPDX-License-Identifier: BSD-3-Clause
// Coordinate descent on the summed log evidence of fixed clusters: one Brent search for every free number, on its
// logarithm, and a few cycles. The partition's part does not depend on these numbers. The result is rounded to a grid,
// and only taken if it is better there. A fit is judged by what it gains on clusters as they are.

#include "coppice/structure/prior_fit.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>

namespace coppice::internal {

namespace {

constexpr std::size_t most_cycles = 4;
constexpr std::uintmax_t evaluations = 12;  // per line search
constexpr int bits = 12;                    // of the logarithm: more is not worth an evaluation
constexpr double reach = 3.0;               // of a line search, to either side of the logarithm
constexpr double least_gain = 1e-6;         // nats; less may be rounding
constexpr double enough = 0.01;             // nats: a cycle that gains less is the last

// Logarithms are taken in these steps: the last bits of sums, which depend on the order of rows and on the assignment,
// then make no difference to the prior.
constexpr double step = 1.0 / 64.0;

double nearest_step(double log_value, double low, double high) {
  return std::clamp(std::nearbyint(log_value / step) * step, low, high);
}

// The expected cost of rows under the prior itself.
double cost_at_prior(const AdjustablePrior& prior, std::span<const double> values, std::span<const double> rows) {
  if (rows.empty() || !(rows[0] > 0.0)) return 0.0;
  const std::unique_ptr<Components> family = prior.at(values);
  family->update(StatsArena(1, family->stats_size()));
  return family->node_cost(0, rows);
}

}  // namespace

bool is_worth_it(const FittedPrior& fitted, double total_weight, std::size_t n_columns) {
  constexpr double least = 0.5;  // nats
  constexpr double per_value = 1e-5;
  return fitted.gain > std::max(least, per_value * total_weight * static_cast<double>(n_columns));
}

FittedPrior fit_prior(const Execution& execution, const AdjustablePrior& prior, std::vector<double> values,
                      const StatsArena& clusters, std::span<const double> at_prior) {
  const std::unique_ptr<EvidenceOfPrior> evidence = prior.evidence_of(execution, clusters);
  // The data's part; the partition's does not depend on these numbers.
  const auto objective = [&](std::span<const double> at) {
    throw_if_stopped(execution.stop);
    return cost_at_prior(prior, at, at_prior) - evidence->at(execution, at);
  };
  const double start = objective(values);
  double best = start;
  for (std::size_t cycle = 0; cycle < most_cycles; ++cycle) {
    const double before = best;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const PriorNumber& number = prior.numbers()[i];
      if (!(number.low < number.high)) continue;
      const double centre = std::log(values[i]);
      // A factor of 20 to either side at a time: what lies farther is reached in the next cycle or fit.
      const double low = std::max(std::log(number.low), centre - reach);
      const double high = std::min(std::log(number.high), centre + reach);
      std::vector<double> trial = values;
      const auto along = [&](double log_value) {
        trial[i] = std::exp(log_value);
        return objective(trial);
      };
      std::uintmax_t left = evaluations;
      const double found = boost::math::tools::brent_find_minima(along, low, high, bits, left).first;
      const double log_value = nearest_step(found, low, high);
      const double value = along(log_value);
      if (!(value < best - least_gain)) continue;
      best = value;
      values[i] = std::exp(log_value);
    }
    if (before - best < enough) break;
  }
  return {std::move(values), start - best};
}

}  // namespace coppice::internal
