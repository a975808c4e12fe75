// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums over rows that belong to many clusters in part, for all clusters at once: a row that is loaded and squared
// serves several of them.

#include <cstddef>
#include <span>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// One of many sets of weights for the same rows, with zeros behind the last row up to the next multiple of 16, and
// where its sums go: two numbers per column.
struct SharedSums {
  const double* weights;
  double* sums;     // sum w x
  double* squares;  // sum w x^2
};

// The squares are about zero: take the mean's out of them, and what is left has lost as many digits as it is smaller.
void shared_sums(const PanelView& panel, std::span<const SharedSums> sets) noexcept;

// The same straight from storage, for rows one after the other (no index), by vectors of columns, of which there must
// be this many.
inline constexpr std::size_t least_shared_columns = 8;
void shared_sums(const StoredRows& rows, std::size_t n_columns, std::span<const SharedSums> sets) noexcept;

// What one set adds up to.
struct SetSums {
  double weight;  // sum w, which must be positive
  std::span<const double> sums;
  std::span<const double> squares;
};

// Whether the squares keep their digits when the mean's are taken out: at least 2^-20 of every one is left, so that 33
// of 53 bits are right. False for infinite ones as well.
[[nodiscard]] bool keep_digits(const SetSums& set) noexcept;

// Merges a set into moments about their own mean: the mean, and squared deviations from it by column, or over all
// columns (a single number). The weight stays as it was.
void merge_sums(const SetSums& set, double weight, std::span<double> mean, std::span<double> squares) noexcept;

}  // namespace coppice::kernels
