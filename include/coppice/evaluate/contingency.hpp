// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How two labelings of the same rows overlap. Only cells with rows in them are kept, so a thousand clusters against
// a thousand classes costs what the data fill. Every score of two labelings can be had from one table:
//
//   const Contingency table = contingency(labels, truth);
//   adjusted_rand_index(table); purity(table);

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice::evaluate {

struct Contingency {
  struct Cell {
    std::uint32_t cluster = 0;  // index into cluster_labels
    std::uint32_t truth = 0;    // index into truth_labels
    std::size_t count = 0;      // rows with both, never 0
    bool operator==(const Cell&) const = default;
  };

  std::size_t n_rows = 0;
  std::vector<std::int32_t> cluster_labels;  // distinct, ascending
  std::vector<std::int32_t> truth_labels;
  std::vector<std::size_t> cluster_sizes;
  std::vector<std::size_t> truth_sizes;
  std::vector<Cell> cells;  // ordered by cluster, then truth

  [[nodiscard]] std::size_t k() const noexcept { return cluster_labels.size(); }
  [[nodiscard]] std::size_t k_truth() const noexcept { return truth_labels.size(); }
  bool operator==(const Contingency&) const = default;
};

// Throws DataError if the lengths differ.
[[nodiscard]] Contingency contingency(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth);

}  // namespace coppice::evaluate
