// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters of any shape, with the Normal-Wishart prior; statistics, costs and legend as in wishart_family.hpp.
// Suffix 0 marks the prior.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/wishart_evidence.hpp"
#include "coppice/family/wishart_family.hpp"

namespace coppice::internal {

struct NormalWishart {
  std::vector<double> m0;
  double xi0 = 0.1;
  double eta0 = 0.0;
  std::vector<double> b0;             // D x D, row by row
  std::vector<double> rounding = {};  // a variance per column that rounding hides (normal_gamma.hpp); empty: none
  // Clusters may differ in scale: each takes the multiple f of B0 among these, in increasing order, that suits it best.
  // Their prior probabilities are in proportion to exp(-decay |log f|). Empty: B0 alone.
  std::vector<double> multiples = {};
  double multiples_decay = 0.0;
};

class Gaussian : public WishartFamily {
 public:
  // OptionError unless xi0 > 0, eta0 > D - 1, and B0 is symmetric and positive definite; and if multiples are not
  // positive and increasing, or their decay is negative.
  explicit Gaussian(NormalWishart prior);

  [[nodiscard]] std::string_view name() const noexcept { return "gaussian"; }
  [[nodiscard]] const NormalWishart& prior() const noexcept { return prior_; }

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const { return posterior(stats, stats[0]); }
  [[nodiscard]] std::vector<double> posterior_b(ConstStatsRef stats) const;  // D x D, row by row
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const { return log_evidence(stats, stats[0]); }
  // The same for n rows that count in the statistics by precision factors and not by 1 each (student.hpp).
  [[nodiscard]] Posterior posterior(ConstStatsRef stats, double n_rows) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats, double n_rows) const;
  // Nothing if clusters vary in scale (NormalWishart::multiples).
  [[nodiscard]] std::unique_ptr<MergedEvidence> merged_evidence(const StatsArena& stats) const;
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;
  [[nodiscard]] std::vector<double> column_lengths() const;  // square roots of B0's diagonal

  [[nodiscard]] NamedArrays to_arrays() const;
  static Gaussian from_arrays(const NamedArrays& arrays);

 private:
  NormalWishart prior_;
  WishartEvidence evidence_;
  std::vector<double> diagonal_b0_;  // if there is nothing beside it

  // `Matrix` is B for any multiple of B0.
  template <class Matrix>
  [[nodiscard]] double best_multiple(const Matrix& matrix, WeighedRows rows) const;
  template <class Matrix>
  [[nodiscard]] double multiple_uphill(const Matrix& matrix, WeighedRows rows) const;
  [[nodiscard]] double trace_with_b0(const PrecisionRoot& w) const;
};

static_assert(BoxBounded<Gaussian> && FindsNearest<Gaussian> && MergesFast<Gaussian>);

}  // namespace coppice::internal
