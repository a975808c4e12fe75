// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How probable a row can be at most in each of a set of clusters, from a box around it alone: clusters that cannot
// matter for a block of rows need not be asked about them.

#include <concepts>
#include <memory>
#include <span>

#include "coppice/family/box.hpp"
#include "coppice/family/family.hpp"

namespace coppice {

// Made once for many boxes; threads may share it.
class PredictionBounds {
 public:
  PredictionBounds() = default;
  PredictionBounds(const PredictionBounds&) = delete;
  PredictionBounds& operator=(const PredictionBounds&) = delete;
  virtual ~PredictionBounds() = default;

  // out[cluster] is at least the log predictive density (Components::log_predictive) of any row in the box, but for
  // rounding.
  virtual void log_densities(const Box& box, std::span<double> out) const = 0;
};

template <class F>
concept BoundsPredictions = Family<F> && requires(const F f, std::span<const typename F::Posterior> all) {
  { f.prediction_bounds(all) } -> std::same_as<std::unique_ptr<PredictionBounds>>;
};

}  // namespace coppice
