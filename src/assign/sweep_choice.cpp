// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/sweep_choice.hpp"

namespace coppice {

namespace {

constexpr std::size_t sweeps_until_retry = 8;

}  // namespace

bool SweepChoice::goes_down(std::size_t k) const noexcept { return k_in_vain_ != k || n_since_ >= sweeps_until_retry; }

void SweepChoice::note_down(std::size_t k, const Assignment& sweep) noexcept {
  ++n_down_;
  distances_ += sweep.distances;
  full_distances_ += n_rows_ * k;
  k_in_vain_ = work_down(sweep) > work_row_by_row(k) ? k : 0;
  n_since_ = 0;
}

void SweepChoice::note_row_by_row(std::size_t k) noexcept {
  ++n_row_by_row_;
  distances_ += n_rows_ * k;
  full_distances_ += n_rows_ * k;
  ++n_since_;
}

// Constants: benchmarks/kernels, as ratios to a row's comparison in a panel of 256. A node's bounds take about three
// passes over a full matrix where a row takes one over a triangle, and have a fixed cost that counts when columns are
// few.
double SweepChoice::work_down(const Assignment& sweep) const noexcept {
  const double per_node = 5.0 + 40.0 / static_cast<double>(n_columns_);
  const double of_nodes = per_node * static_cast<double>(sweep.node_distances);
  return of_nodes + 1.2 * static_cast<double>(sweep.distances - sweep.node_distances);
}

// Every row also enters its cluster's statistics, which costs about as much as another few comparisons.
double SweepChoice::work_row_by_row(std::size_t k) const noexcept {
  return static_cast<double>(n_rows_) * (static_cast<double>(k) + 4.0);
}

}  // namespace coppice
