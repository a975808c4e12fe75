// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Determinants of the scatter of pairs of clusters put together, with any number of columns. What merging adds to
// M = B0 + S_a + S_b has rank two,
//
//   B = M + alpha d d' + beta v v',   d = x_b - x_a,   v = (n_a x_a + n_b x_b) / n - m0,
//   alpha = n_a n_b / n,   beta = n xi0 / (n + xi0),   n = n_a + n_b,
//
// so that a row (S_a = 0) needs no factors but those of the other one. Every function gives the same bits whichever of
// the two is a, and whatever else is asked for; NaN where numbers grow too large.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/cluster_arrays.hpp"
#include "coppice/kernels/merge_few_columns.hpp"

namespace coppice::kernels {

// Coordinates in which M of two rows is a diagonal.
struct RowMetric {
  double xi0 = 0.0;
  std::vector<double> m0;
  std::vector<double> inverse;  // of the diagonal
  double log_det = 0.0;         // log |M|
};

// Rows with rows. Entries: the weight, and the row in those coordinates, which may stand in arrays of their own.
void merged_row_log_dets(const RowMetric& metric, const double* weights, const ClusterArrays& coordinates,
                         std::uint32_t one, std::span<const std::uint32_t> others, double* out) noexcept;

// A lower triangle in blocks of eight rows, column by column in each.
class BlockedTriangle {
 public:
  static constexpr std::size_t block = 8;
  BlockedTriangle() = default;
  explicit BlockedTriangle(std::size_t n) : n_(n), values_(offset((n + block - 1) / block), 0.0) {}

  [[nodiscard]] std::size_t n() const noexcept { return n_; }
  [[nodiscard]] double& at(std::size_t row, std::size_t column) noexcept {
    return values_[offset(row / block) + column * block + row % block];
  }
  [[nodiscard]] const double* rows(std::size_t first_row) const noexcept {
    return values_.data() + offset(first_row / block);
  }

 private:
  static std::size_t offset(std::size_t blocks) noexcept { return block * block * (blocks * (blocks + 1) / 2); }

  std::size_t n_ = 0;
  AlignedVector<double> values_;
};

// A cluster with scatter. M, with any row added to it, is C C'.
struct MergeCluster {
  double weight = 0.0;
  std::vector<double> mean;
  std::vector<double> scatter;  // lower triangle
  BlockedTriangle inverse;      // C^-1
  AlignedVector<double> shift;  // C^-1 (mean - m0), with zeros up to a multiple of 8
  double log_det = 0.0;         // log |M|
};

// A cluster with rows, and a row with a cluster. Entries of the rows: weight, then the row.
void merged_log_dets_with_rows(double xi0, const MergeCluster& one, const double* weights, const ClusterArrays& rows,
                               std::span<const std::uint32_t> others, double* out);
[[nodiscard]] double merged_log_det_of_row(double xi0, double weight, std::span<const double> row,
                                           const MergeCluster& other);

// Clusters with clusters, at the cost of factors of M.
void merged_log_dets_of_clusters(const MergePrior& prior, const MergeCluster& one,
                                 std::span<const MergeCluster* const> others, double* out);

}  // namespace coppice::kernels
