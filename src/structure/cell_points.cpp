// SPDX-License-Identifier: BSD-3-Clause
#include "structure/cell_points.hpp"

#include <cmath>
#include <numeric>

#include "structure/without_last_bits.hpp"

namespace coppice::internal {

namespace {

// x becomes sqrt(x / sum of all).
void take_roots_of_shares(std::span<double> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& value : counts) value = total > 0.0 ? std::sqrt(value / total) : 0.0;
}

}  // namespace

CellPoints::CellPoints(const Rows& rows, const CellOptions& options) : rows_(rows), n_columns_(rows.n_columns()) {
  if (rows.are_sparse()) {
    take_sparse(options);
  } else {
    take_dense(options);
  }
}

void CellPoints::take_dense(const CellOptions& options) {
  std::vector<double> factor(n_columns_, 1.0);
  if (options.space == CellSpace::unit_deviations) {
    // Cuts must not hang on the last bits of a variance, which depend on the order of rows.
    for (std::size_t i = 0; i < n_columns_; ++i) factor[i] = 1.0 / without_last_bits(std::sqrt(options.variance[i]));
  }
  values_.resize(rows_.size() * n_columns_);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::span<double> point = std::span(values_).subspan(row * n_columns_, n_columns_);
    rows_.copy_row(row, point);
    for (std::size_t i = 0; i < n_columns_; ++i) point[i] *= factor[i];
    if (options.space == CellSpace::roots_of_shares) take_roots_of_shares(point);
  }
}

void CellPoints::take_sparse(const CellOptions& options) {
  begin_.push_back(0);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const SparseRow entries = rows_.data().sparse_row(row);
    columns_.insert(columns_.end(), entries.columns.begin(), entries.columns.end());
    for (std::size_t i = 0; i < entries.size(); ++i) values_.push_back(entries.value(i));
    if (options.space == CellSpace::roots_of_shares) take_roots_of_shares(std::span(values_).subspan(begin_.back()));
    begin_.push_back(values_.size());
  }
}

}  // namespace coppice::internal
