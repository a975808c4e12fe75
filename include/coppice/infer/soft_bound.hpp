// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What clusters are worth if rows need not belong to one of them alone. Hard labels pay for the entropy of the labels,
//
//   -log p(data, labels)  =  -log p(data) - log p(labels | data),
//
// so that overlapping clusters cost too much, and cost more the more rows there are. The variational bound
//
//   F = sum_c KL(q(theta_c) || prior) + KL(q(weights) || prior) - sum_n log sum_c exp(-cost_c(x_n) - offset_c)
//
// lies between -log p(data) and the hard objective, and compares numbers of clusters without that.

#include <cstddef>
#include <span>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// Clusters by their statistics, rows counted with their shares in them.
struct SoftClusters {
  StatsArena stats;
  double bound = 0.0;    // at the posteriors that these statistics give; their weights are shares of all units
  bool is_held = false;  // the next step would have made a cluster too light (SizeLimit)
};

[[nodiscard]] bool has_lighter(const StatsArena& clusters, double weight);

// Where no cluster is lighter than this, none becomes so: it vanishes if that lowers the bound and K is free, else the
// step is not taken, and that is the end. Every step leads down, so that nothing better that is allowed was seen.
struct SizeLimit {
  double least = 0.0;
  bool is_k_free = true;
};

struct SoftLimits {
  std::size_t max_iterations = 200;
  double tolerance = 1e-3;  // ends when the bound falls by no more nats than this
  SizeLimit sizes = {};
};

// Shares and posteriors in turn, which never raises the bound, from the posteriors of the given statistics. Clusters
// that hold less than half a row in the end vanish. `others` are the sizes of further clusters, which stay as they are
// and have no share in these units: bounds of the same units beside the same others compare.
[[nodiscard]] SoftClusters soften(const Execution& execution, const Problem& problem, StatsArena start,
                                  const SoftLimits& limits = {}, std::span<const double> others = {});

}  // namespace coppice::internal
