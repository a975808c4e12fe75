// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Clusters to be merged, of all sorts: single rows, duplicates, a few rows, many rows, nothing.

#include <cmath>
#include <vector>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/family/axis_examples.hpp"

namespace coppice::internal {

enum class Weighting { ones, whole, any };

struct MergeExample {
  Weighting weighting = Weighting::ones;
  double offset = 0.0;
  double scale = 1.0;
  std::size_t n_rows = 30;  // of the large clusters
  bool has_single_rows = true;
};

// A family whose prior has no correlations, and which is as wide as the scale says.
template <class F>
F round_family(std::size_t d, double b0, double scale = 1.0) {
  const std::vector<double> m0(d, 0.25 * scale);
  b0 *= scale * scale;
  if constexpr (std::same_as<F, Gaussian>) {
    NormalWishart prior{m0, 0.01, static_cast<double>(d), std::vector<double>(d * d, 0.0)};
    for (std::size_t i = 0; i < d; ++i) prior.b0[i * (d + 1)] = b0;
    return F(prior);
  } else {
    return F({m0, 0.01, 1.0, std::vector<double>(std::same_as<F, DiagonalGaussian> ? d : 1, b0), {}});
  }
}

class MergeRows {
 public:
  MergeRows(const MergeExample& example, std::size_t n_columns) : example_(example), n_columns_(n_columns) {}

  // One more row, as statistics in centred form, or as sums.
  template <class F>
  void add_to(const F& family, std::vector<double>& stats) {
    std::vector<double> row(family.stats_size(), 0.0);
    row[0] = weight();
    for (std::size_t i = 0; i < n_columns_; ++i) {
      if constexpr (std::same_as<F, Multinomial>) {
        row[1 + i] = row[0] * static_cast<double>(random_.below(6) / 2 * random_.below(4));
      } else if constexpr (std::same_as<F, Bernoulli>) {
        row[1 + i] = row[0] * static_cast<double>(random_.below(2));
      } else {
        row[1 + i] = example_.scale * (example_.offset + random_.normal());
      }
    }
    if constexpr (std::same_as<F, Multinomial>) row.back() = row[0] * 1.5;
    family.merge(stats, row);
  }

 private:
  double weight() {
    if (example_.weighting == Weighting::any) return random_.uniform(0.05, 2.5);
    return example_.weighting == Weighting::whole ? 1.0 + static_cast<double>(random_.below(4)) : 1.0;
  }

  RandomStream random_{17, Purpose::test, 70};
  MergeExample example_;
  std::size_t n_columns_;
};

// The log evidence of both as one cluster, in long double: where B0 is small or m0 far away, doubles lose digits.
inline double exact_evidence(const Gaussian& family, ConstStatsRef a, ConstStatsRef b) {
  using Real = long double;
  const NormalWishart& prior = family.prior();
  const std::size_t d = family.n_columns();
  const Real n = Real(a[0]) + Real(b[0]);
  if (!(n > 0.0L)) return 0.0;
  std::vector<Real> between(d);
  std::vector<Real> shift(d);
  for (std::size_t i = 0; i < d; ++i) {
    between[i] = Real(b[1 + i]) - Real(a[1 + i]);
    shift[i] = (a[0] * Real(a[1 + i]) + b[0] * Real(b[1 + i])) / n - prior.m0[i];
  }
  const auto log_det = [d](std::vector<Real> m) {  // row by row; Cholesky without roots
    Real sum = 0.0L;
    for (std::size_t k = 0; k < d; ++k) {
      sum += std::log(m[k * d + k]);
      for (std::size_t i = k + 1; i < d; ++i) {
        const Real factor = m[i * d + k] / m[k * d + k];
        for (std::size_t j = k + 1; j <= i; ++j) m[i * d + j] -= factor * m[j * d + k];
      }
    }
    return sum;
  };
  std::vector<Real> b0(prior.b0.begin(), prior.b0.end());
  std::vector<Real> merged = b0;
  for (std::size_t i = 0, entry = 1 + d; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j, ++entry) {
      merged[i * d + j] += Real(a[entry]) + Real(b[entry]) + a[0] * Real(b[0]) / n * between[i] * between[j] +
                           n * prior.xi0 / (n + prior.xi0) * shift[i] * shift[j];
    }
    if (!prior.rounding.empty()) merged[i * d + i] += n * prior.rounding[i];
  }
  const auto log_multigamma = [d](Real x) {
    Real sum = 0.0L;
    for (std::size_t i = 0; i < d; ++i) sum += std::lgamma(x - Real(i) / 2.0L);
    return sum;
  };
  const Real pi = 3.14159265358979323846264338327950288L;
  const auto columns = static_cast<Real>(d);
  return static_cast<double>(-columns * n / 2 * std::log(pi) + columns / 2 * std::log(prior.xi0 / (prior.xi0 + n)) +
                             prior.eta0 / Real(2) * log_det(b0) - (prior.eta0 + n) / 2 * log_det(merged) +
                             log_multigamma((prior.eta0 + n) / 2) - log_multigamma(prior.eta0 / Real(2)));
}

// Other families lose nothing that way.
template <class F>
double exact_evidence(const F& family, ConstStatsRef a, ConstStatsRef b) {
  std::vector<double> both(a.begin(), a.end());
  family.merge(both, b);
  return family.log_evidence(both);
}

template <class F>
StatsArena merge_clusters(const F& family, const MergeExample& example) {
  StatsArena stats(0, family.stats_size());
  MergeRows rows(example, family.n_columns());
  const auto append = [&](std::size_t n_rows) {
    std::vector<double> cluster(family.stats_size(), 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) rows.add_to(family, cluster);
    stats.append(cluster);
  };
  for (std::size_t i = 0; i < 7; ++i) {
    if (example.has_single_rows) {
      append(1);
      append(1);
      append(i % 3 == 0 ? 2 : 3);
    }
    append(example.n_rows + i);
  }
  if (example.has_single_rows) {
    append(0);
    const std::vector<double> duplicate(stats[0].begin(), stats[0].end());
    stats.append(duplicate);
    std::vector<double> twice = duplicate;
    family.merge(twice, duplicate);
    stats.append(twice);
  }
  return stats;
}

}  // namespace coppice::internal
