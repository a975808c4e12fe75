// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Mixtures of few rows under any family that has a proper prior, for tests of variational Bayes.

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>
#include <memory>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/infer/variational_step.hpp"
#include "coppice/partition/sticks.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {

inline constexpr StickPrior stick_prior{1.0, 2.0};

using MixtureFamilies = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian, Multinomial, Bernoulli>;

template <class F>
class MixtureExample {
 public:
  static constexpr std::size_t d = 3;

  static F family() {
    const std::vector<double> mean(d, 0.2);
    if constexpr (std::same_as<F, Gaussian>) return Gaussian(plain_prior(d, 2.0, 0.3));
    if constexpr (std::same_as<F, DiagonalGaussian>) {
      return DiagonalGaussian({mean, 0.3, 2.5, std::vector<double>(d, 0.8), std::vector<double>(d, 0.05)});
    }
    if constexpr (std::same_as<F, SphericalGaussian>) return SphericalGaussian({mean, 0.3, 2.5, {0.8}, {}});
    if constexpr (std::same_as<F, Multinomial>) return Multinomial(d, 0.4);
    if constexpr (std::same_as<F, Bernoulli>) return Bernoulli(d, 0.4);
  }
  static Rows rows_of(std::size_t n_rows, std::uint64_t seed) {
    const Dataset data = scattered_rows(n_rows, d, 3, seed, 1.5);
    std::vector<double> values(data.doubles().begin(), data.doubles().end());
    for (double& value : values) {
      if constexpr (std::same_as<F, Multinomial>) value = std::floor(2.0 * std::abs(value));
      if constexpr (std::same_as<F, Bernoulli>) value = value > 0.5 ? 1.0 : 0.0;
    }
    return {Dataset::from_rows(std::move(values), n_rows, d).with_weights(some_weights(n_rows, seed)),
            std::vector<double>(d, 0.0)};
  }

  explicit MixtureExample(std::size_t n_rows)
      : n(n_rows), family_(family()), rows_(rows_of(n_rows, 4)), units_(rows_), prior_(make_sticks(1.0, 2.0)) {
    for (std::size_t row = 0; row < n; ++row) total_ += rows_.weight(row);
  }

  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] Problem problem() const { return problem(units_); }
  [[nodiscard]] Problem problem(const Units& units) const { return {units, family_, *prior_, total_}; }
  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const Components& components() const { return family_; }
  // Every row has a share in each of k clusters, and leaves a part to the tail.
  [[nodiscard]] StatsArena start(std::size_t k, double of_tail) {
    RandomStream random{3, Purpose::test};
    StatsArena stats(k, family_.stats_size());
    BlockBuffer buffer(d);
    std::vector<double> left(n, 1.0 - of_tail);
    for (std::size_t c = 0; c < k; ++c) {
      std::vector<double> shares;
      for (std::size_t row = 0; row < n; ++row) {
        const double share = c + 1 == k ? left[row] : left[row] * random.uniform();
        left[row] -= share;
        shares.push_back(share * rows_.weight(row));
      }
      RowBlock block(rows_, 0, n, buffer);
      family_.add(stats[c], block, shares);
    }
    return stats;
  }
  [[nodiscard]] VariationalStep step(const StatsArena& stats) {
    const auto clusters = family_.clone();
    return variational_step(execution(), problem(), *clusters, stats);
  }

  const std::size_t n;

 protected:
  LocalExecution local_{1};
  FamilyAdapter<F> family_;
  Rows rows_;
  Units units_;
  std::unique_ptr<PartitionPrior> prior_;
  double total_ = 0.0;
};

}  // namespace coppice::internal
