// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see quadratic.hpp.
// Twice through the columns for every row: first the coordinates Q' s inside the few directions, then what is left
// outside them. O(D rank), where the whole matrix would take O(D^2). The part outside is summed up as squares of s - Q
// Q' s and not as ||s||^2 - ||Q' s||^2, which would cancel for rows that lie in those directions.

#include "coppice/kernels/low_rank.hpp"

namespace coppice::kernels {

namespace {

// Entry k of Q' s
double coordinate(std::span<const double> x, std::span<const double> m, const LowRankRoot& root, std::size_t k) {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += root.basis[j * root.rank + k] * (root.scale[j] * (x[j] - m[j]));
  return sum;
}

}  // namespace

ExactQuadratic exact_low_rank(std::span<const double> x, std::span<const double> m, const LowRankRoot& root,
                              std::span<const double> squared_columns) {
  thread_local std::vector<double> coordinates;
  coordinates.resize(root.rank);
  for (std::size_t k = 0; k < root.rank; ++k) coordinates[k] = coordinate(x, m, root, k);
  ExactQuadratic sum;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double t = x[j] - m[j];
    double outside = root.scale[j] * t;
    for (std::size_t k = 0; k < root.rank; ++k) outside -= root.basis[j * root.rank + k] * coordinates[k];
    sum.value += outside * outside;
    sum.scale += squared_columns[j] * t * t;
  }
  for (std::size_t k = 0; k < root.rank; ++k) {
    double inside = 0.0;
    for (std::size_t l = 0; l <= k; ++l) inside += root.inside[k * root.rank + l] * coordinates[l];
    sum.value += inside * inside;
  }
  return sum;
}

}  // namespace coppice::kernels
