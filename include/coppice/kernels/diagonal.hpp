// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Quadratic forms whose axes are the columns: sum over columns of (scale (x - m))^2, plus a. The labelling cost of a
// Gaussian cluster without correlations.

#include <span>

#include "coppice/kernels/quadratic.hpp"

namespace coppice::kernels {

struct DiagonalForm {
  std::span<const double> m;
  std::span<const double> scale;
  double a = 0.0;
};

// out[form * panel_stride + row] for every row of the panel, and up to 15 meaningless values behind the last one.
void diagonal_costs(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) noexcept;
// Minus the same straight from storage, to within what rounding x itself would change: an operation less per row,
// column and form.
void diagonal_log_densities(const StoredRows& rows, std::size_t n_columns, std::span<const DiagonalForm> forms,
                            double* out);

// A product over columns of b + k (x - m)^2, or of `least` where that is more.
struct DiagonalProduct {
  std::span<const double> m;
  std::span<const double> b;
  double k = 1.0;
  double least = 0.0;
};

// out[form * panel_stride + row] = the logarithm of the product, for every row of the panel and up to 15 behind.
// Factors must be normal numbers; their product need not be one.
void diagonal_log_products(const PanelView& panel, std::span<const DiagonalProduct> forms, double* out) noexcept;

// The same as diagonal_costs for one row, in a fixed order of operations without contraction, as exact_quadratic.
// `scale` of the result is the value without a: nothing cancels.
[[nodiscard]] ExactQuadratic exact_diagonal(std::span<const double> x, const DiagonalForm& form) noexcept;

}  // namespace coppice::kernels
