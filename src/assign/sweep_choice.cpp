// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/sweep_choice.hpp"

namespace coppice::internal {

namespace {

// Clusters move: what was in vain may pay a few sweeps later, and one try in nine costs little if it does not.
constexpr std::size_t choices_until_retry = 8;

}  // namespace

bool SweepChoice::goes_down(std::size_t kind) const noexcept {
  return !was_in_vain_ || kind_in_vain_ != kind || n_since_ >= choices_until_retry;
}

void SweepChoice::note_down(std::size_t kind, const SweepWork& work) noexcept {
  note(work);
  ++n_down_;
  was_in_vain_ = work_down(work) > work_row_by_row(work);
  kind_in_vain_ = kind;
  n_since_ = 0;
}

void SweepChoice::note_row_by_row(const SweepWork& work) noexcept {
  note(work);
  ++n_row_by_row_;
  ++n_since_;
}

void SweepChoice::note(const SweepWork& work) noexcept {
  distances_ += work.distances;
  full_distances_ += work.full_distances;
}

// Constants: ratios to the comparison of a row in a panel of 256, from benchmarks/kernels. A node's bounds take about
// three passes over a full matrix where a row takes one over a triangle, and have a fixed cost that counts when columns
// are few; rows of a leaf fill only part of a panel.
double SweepChoice::work_down(const SweepWork& work) const noexcept {
  const double per_node = 5.0 + 40.0 / static_cast<double>(n_columns_);
  constexpr double per_row_of_a_leaf = 1.2;
  return per_node * static_cast<double>(work.node_distances) +
         per_row_of_a_leaf * static_cast<double>(work.distances - work.node_distances);
}

// Every row also enters its cluster's statistics, which costs about as much as another few comparisons.
double SweepChoice::work_row_by_row(const SweepWork& work) noexcept {
  return static_cast<double>(work.full_distances) + 4.0 * static_cast<double>(work.rows);
}

}  // namespace coppice::internal
