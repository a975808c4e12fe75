// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which clusters of one labelling come back in others.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/stability.hpp"

namespace coppice {

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
