// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums over the weighted rows of a panel, which stays as it is: what a cluster takes from rows that belong to it in
// part. Products are taken about a given point; near the mean of the rows, no digits are lost.

#include <cstddef>
#include <span>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// The weights of a panel's rows, with zeros behind the last one. No weights: all ones.
class PaddedWeights {
 public:
  PaddedWeights(std::span<const double> weights, std::size_t n_rows) noexcept;
  [[nodiscard]] const double* data() const noexcept { return values_; }
  [[nodiscard]] double total() const noexcept { return total_; }

 private:
  alignas(64) double values_[panel_rows];
  double total_ = 0.0;
};

// sum w x / sum w for every column. The total must be positive.
void weighted_means(const PanelView& panel, const PaddedWeights& weights, std::span<double> means) noexcept;

// Where sums are taken about, and what they are added to: with t = x - about, `sums` += sum w t, and `second` is for
// products of t.
struct SumsAbout {
  std::span<const double> about;
  std::span<double> sums;
  std::span<double> second;
};

// second += sum w t^2 for every column.
void add_squares(const PanelView& panel, const PaddedWeights& weights, const SumsAbout& to) noexcept;

// second += sum w t t', of which the lower triangle is kept (moments.hpp).
void add_products(const PanelView& panel, const PaddedWeights& weights, const SumsAbout& to) noexcept;

}  // namespace coppice::kernels
