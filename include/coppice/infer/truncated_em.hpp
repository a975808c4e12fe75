// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Truncated variational EM for round clusters of one variance and equal shares ([T]): a row has shares in a few
// clusters near it, and in one of them alone for k-means. With C clusters, clusters K_n of row n, and D columns,
//
//   F = sum_n w_n log sum_{c in K_n} p(x_n | c) / C  <=  log p(data),    p(x | c) = N(x; mu_c, s2 1),
//
// never falls: not by a look around (partial_e_step.hpp), nor by new means and a new variance, which are the best for
// the shares as they are. (Where the variance is at its floor, it may.)

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/partial_e_step.hpp"
#include "coppice/family/stats.hpp"

namespace coppice::internal {

enum class NeighbourhoodRule : std::uint8_t { exhaustive, estimated };

struct TruncatedOptions {
  std::size_t n_each = 1;        // clusters in which a row may have shares ([T] C')
  std::size_t n_neighbours = 5;  // in a neighbourhood, the cluster itself among them ([T] G)
  NeighbourhoodRule rule = NeighbourhoodRule::estimated;
  bool explores = false;  // rows also look at a cluster that is drawn for each
  std::uint64_t seed = 0;
};

class TruncatedEm {
 public:
  // From centres, one after the other and less the rows' origin, and what rows and clusters know of one another so far.
  // Keep the rows meanwhile.
  TruncatedEm(const Execution& execution, const Rows& rows, const TruncatedOptions& options,
              std::span<const double> centres, RowClusters first, Neighbourhoods around);

  // An E-step, by neighbourhoods that are made of the centres, or, if estimated, made anew of it. The number of rows
  // that may belong to other clusters than before.
  std::size_t look_around();
  // The same, if these are the clusters that rows look at beside.
  std::size_t look_around(std::span<const std::uint32_t> explored);
  // The variance that the nearest centres leave: what it begins with, after rows have looked around.
  void set_variance();
  void set_variance(double variance) { variance_ = variance; }
  // An M-step.
  void move_centres();

  // F under the present centres and variance, which rows must have looked at.
  [[nodiscard]] double free_energy() const;
  // F right after an M-step of rows that belong to one cluster each: no distance is needed.
  [[nodiscard]] double free_energy_of_labels() const;

  // Of every cluster as centroid.hpp has them, rows counted with their shares; a cluster without rows keeps its mean.
  [[nodiscard]] const StatsArena& stats() const noexcept { return stats_; }
  [[nodiscard]] double variance() const noexcept { return variance_; }
  [[nodiscard]] const RowClusters& clusters_of_rows() const noexcept { return of_rows_; }
  [[nodiscard]] const Neighbourhoods& neighbourhoods() const noexcept { return around_; }
  [[nodiscard]] std::uint64_t distances() const noexcept { return distances_; }
  // Shares of a row in its clusters, which add up to 1.
  [[nodiscard]] std::vector<double> shares(std::size_t row) const;

 private:
  [[nodiscard]] std::size_t n_clusters() const noexcept { return stats_.size(); }
  void set_shares(std::span<const double> squared, std::span<double> shares) const;
  [[nodiscard]] std::vector<double> weighed_shares() const;

  Execution execution_;
  const Rows& rows_;
  TruncatedOptions options_;
  double total_weight_;
  double least_variance_;
  double variance_ = 0.0;
  StatsArena stats_;
  std::vector<double> centres_;
  RowClusters of_rows_;
  Neighbourhoods around_;
  std::uint64_t n_looks_ = 0;
  std::uint64_t distances_ = 0;
};

}  // namespace coppice::internal
