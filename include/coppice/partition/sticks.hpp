// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stick breaking ([V] section 2): component i breaks a part v_i ~ Beta(alpha1, alpha2) off what those before it have
// left of a stick of length 1, without end. In the variational posterior ([V] section 4) the first T parts are
// Beta(a_i, b_i), and all behind are as in the prior, so that infinite sums over these have closed forms. The Dirichlet
// process of mass alpha is Beta(1, alpha).

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

struct StickPrior {
  double alpha1 = 1.0;
  double alpha2 = 1.0;
};

// v ~ Beta(a, b)
struct Stick {
  double a = 1.0;
  double b = 1.0;
};

// The best parts for components of these sizes, in this order, with a mass `behind` all of them ([V] Eqs. 14-15).
[[nodiscard]] std::vector<Stick> sticks_of(const StickPrior& prior, std::span<const double> sizes, double behind);

// Of every component, and of what is left behind the last one.
struct StickWeights {
  std::vector<double> of_components;
  double of_rest = 0.0;
};
[[nodiscard]] StickWeights expected_log_weights(std::span<const Stick> sticks);  // E[log pi_i]
[[nodiscard]] StickWeights log_expected_weights(std::span<const Stick> sticks);  // log E[pi_i]

// log sum_{i > T} exp(E[log pi_i]) less the expected log of what the first T have left ([V] Eq. 6): beyond T the terms
// are a geometric series.
[[nodiscard]] double log_tail(const StickPrior& prior);

// The same for `n` more components, the last of which takes all that is left: a stick that is broken T times and no
// more
// ([V] section 3, Blei and Jordan).
[[nodiscard]] double log_tail_of(const StickPrior& prior, std::size_t n);

// sum_i KL(Beta(a_i, b_i) || Beta(alpha1, alpha2))
[[nodiscard]] double kl_to_prior(std::span<const Stick> sticks, const StickPrior& prior);

// As a prior over partitions, for no more than `most` clusters (make_sticks: without end); by its name, that is
// "truncated-sticks" (alpha1, alpha2, truncation).
[[nodiscard]] std::unique_ptr<PartitionPrior> make_truncated_sticks(double alpha1, double alpha2, std::size_t most);

}  // namespace coppice::internal
