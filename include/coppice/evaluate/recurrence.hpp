// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which clusters of one labelling come back in others.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/stop.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

struct ClusterStability {
  double recurrence = 0.0;  // Jaccard similarity with the most similar cluster of a resample, on average (Hennig 2007)
  double found = 0.0;       // share of the resamples in which that is at least 0.75
};

// Averages over the resamples; rows count with the weights they have in the data.
struct Stability {
  std::size_t resamples = 0;                         // those that the figures come from
  std::map<std::size_t, std::size_t> k_counts = {};  // number of clusters -> in how many resamples
  double ari = 0.0;                                  // adjusted Rand index of the fit and a resample
  std::vector<ClusterStability> clusters = {};       // one per cluster of the fit
  std::vector<double> together = {};                 // K x K, row by row: see together_of
  StopReason stop_reason = StopReason::converged;    // other than that: not all resamples were made
  std::vector<Text> warnings = {};

  // The probability that a row of cluster a and one of cluster b, drawn independently, share a cluster in a resample;
  // with a = b, how well a cluster holds together. Not known for more than most_clusters_together clusters.
  [[nodiscard]] double together_of(std::size_t a, std::size_t b) const { return together[a * clusters.size() + b]; }
  static constexpr std::size_t most_clusters_together = 500;
};

class RecurrenceTally {
 public:
  // The labels, 0..k-1, of the clustering that is looked for. Rows of weight 0 do not count.
  RecurrenceTally(const Dataset& data, std::span<const std::int32_t> labels, std::size_t k);

  // Another clustering of the same rows into k clusters.
  void add(std::span<const std::int32_t> labels, std::size_t k);

  // Averages over all that were added.
  [[nodiscard]] Stability result() const;

 private:
  // Rows by their total weight, and how much of its square is no pair of two rows.
  struct Mass {
    double weight = 0.0;
    double own_pairs = 0.0;

    Mass& operator+=(const Mass& other) noexcept;
    [[nodiscard]] double pairs() const noexcept { return (weight * weight - own_pairs) / 2.0; }
  };
  // Rows that are in cluster `first` here and in cluster `second` there.
  struct Cell {
    std::size_t first = 0;
    std::size_t second = 0;
    Mass mass;
  };
  struct Overlap {
    std::vector<Cell> cells;  // by the first cluster
    std::vector<Mass> first;  // whole clusters
    std::vector<Mass> second;
  };

  [[nodiscard]] Mass mass_of(std::size_t row) const noexcept;
  [[nodiscard]] Overlap overlap(std::span<const std::int32_t> labels, std::size_t k) const;
  [[nodiscard]] static double adjusted_rand_index(const Overlap& overlap);
  void add_jaccard(const Overlap& overlap);
  void add_together(const Overlap& overlap);

  const Dataset& data_;
  std::vector<std::vector<std::size_t>> members_;  // rows with weight, by cluster
  Stability sums_;
};

}  // namespace coppice
