// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Quadratic forms q(x) = (x - m)' A (x - m) + a over a box of centre c and half widths w, and lower bounds of the
// difference of two of them: if one is positive, the first form is the smaller one everywhere in the box.
//
// Every function comes twice: for any number of columns, by vectors; and, where the number is known to the compiler (a
// span of fixed extent), as a template that stays in registers, inlined into whatever instruction set calls it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/contested_box.hpp"

namespace coppice::kernels {

// A form with its symmetric matrix in full, row by row.
struct BoxForm {
  const double* m = nullptr;
  const double* matrix = nullptr;
  double a = 0.0;
};

// A form seen from the centre of a box.
struct AtCentre {
  double value = 0.0;             // q(c)
  double squared_distance = 0.0;  // ||c - m||^2
};

// Also writes the gradient 2 A (c - m).
[[nodiscard]] AtCentre at_centre(const BoxForm& form, std::span<const double> centre, double* gradient) noexcept;

// w' |A| w: how far a form can rise above its tangent plane at the centre.
[[nodiscard]] double curvature(const double* matrix, std::span<const double> half_width) noexcept;

// Lower bounds of q - p over the box, from `difference` = q(c) - p(c) and the gradients at the centre. Both hold for
// every pair of forms (A_q positive semidefinite); neither is always the better one.
//
//   tangent_bound   = difference - |g|' w - w' |A_p| w,  g the difference of the gradients       O(D)
//   curvature_bound = difference + sum_d min_t (g_d t + H_dd t^2) - sum_{d != e} |H_de| w_d w_e,   O(D^2)
//                     H = A_q - A_p, |t| <= w_d: exact where the matrices are equal
[[nodiscard]] double tangent_bound(double difference, const double* gradient_q, const double* gradient_p,
                                   double curvature_p, std::span<const double> half_width) noexcept;
[[nodiscard]] double curvature_bound(double difference, const double* gradient_q, const double* gradient_p,
                                     const double* matrix_q, const double* matrix_p,
                                     std::span<const double> half_width) noexcept;

// min over |t| <= w of g t + h t^2. Nothing branches: how the parabola lies, nobody can foretell. Where it has no least
// value of its own (h <= 0), that is at infinity, or is not a number and so not taken by the minimum.
[[nodiscard]] inline double least_parabola(double g, double h, double w) noexcept {
  const double slope = std::abs(g);
  const double t = std::min(w, slope / std::max(0.0, 2.0 * h));
  return (h * t - slope) * t;
}

// A form must be beaten by more than lead + band (1 + 2 reach), where reach is as large as |q(x)| + tr A ||x - m||^2
// gets for any of the forms anywhere in the box.
struct PairMargin {
  double lead = 0.0;
  double band = 0.0;
};

// Forms to be compared over many boxes.
class PairTester {
 public:
  explicit PairTester(std::size_t n_columns);
  void append(std::span<const double> m, std::span<const double> matrix, double a);

  // Drops every candidate (a form's number) that the one which is least at the centre beats everywhere in the box,
  // moves the others to the front in their order, and says how many there are. One box, or two that begin with the same
  // candidates, each with a list of its own: together they cost little more than one. `scratch` grows as needed.
  void drop_beaten(std::span<ContestedBox> boxes, const PairMargin& margin, std::vector<double>& scratch) const {
    const std::size_t needed = 3 * n_columns_ + boxes.front().n * (n_columns_ + 1);
    if (scratch.size() < needed) scratch.resize(needed);
    drop_(Forms{records_.data(), n_columns_}, margin, boxes.data(), boxes.size(), scratch.data());
  }

  // The forms in one table, each in a record of its own: m, A, a and the trace of A.
  struct Forms {
    const double* records = nullptr;
    std::size_t n_columns = 0;
  };

  using Drop = void (*)(const Forms& forms, const PairMargin& margin, ContestedBox* boxes, std::size_t n_boxes,
                        double* scratch);

 private:
  std::size_t n_columns_;
  Drop drop_;  // for this machine and this number of columns
  std::vector<double> records_;
};

template <std::size_t D>
concept FewColumns = D != std::dynamic_extent;

template <std::size_t D>
requires FewColumns<D>
[[nodiscard, gnu::always_inline]] inline AtCentre at_centre(const BoxForm& form, std::span<const double, D> centre,
                                                            double* gradient) noexcept {
  double t[D];
  AtCentre result{form.a, 0.0};
  for (std::size_t i = 0; i < D; ++i) {
    t[i] = centre[i] - form.m[i];
    result.squared_distance += t[i] * t[i];
  }
  for (std::size_t i = 0; i < D; ++i) {
    double y = 0.0;
    for (std::size_t j = 0; j < D; ++j) y += form.matrix[i * D + j] * t[j];
    gradient[i] = 2.0 * y;
    result.value += t[i] * y;
  }
  return result;
}

template <std::size_t D>
requires FewColumns<D>
[[nodiscard, gnu::always_inline]] inline double curvature(const double* matrix,
                                                          std::span<const double, D> half_width) noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < D; ++i) {
    for (std::size_t j = 0; j < D; ++j) sum += std::abs(matrix[i * D + j]) * half_width[i] * half_width[j];
  }
  return sum;
}

template <std::size_t D>
requires FewColumns<D>
[[nodiscard, gnu::always_inline]] inline double tangent_bound(double difference, const double* gradient_q,
                                                              const double* gradient_p, double curvature_p,
                                                              std::span<const double, D> half_width) noexcept {
  double bound = difference - curvature_p;
  for (std::size_t i = 0; i < D; ++i) bound -= std::abs(gradient_q[i] - gradient_p[i]) * half_width[i];
  return bound;
}

template <std::size_t D>
requires FewColumns<D>
[[nodiscard, gnu::always_inline]] inline double curvature_bound(double difference, const double* gradient_q,
                                                                const double* gradient_p, const double* matrix_q,
                                                                const double* matrix_p,
                                                                std::span<const double, D> half_width) noexcept {
  double bound = difference;
  for (std::size_t i = 0; i < D; ++i) {
    const double h = matrix_q[i * D + i] - matrix_p[i * D + i];
    bound += least_parabola(gradient_q[i] - gradient_p[i], h, half_width[i]);
    for (std::size_t j = 0; j < i; ++j) {  // the matrices are symmetric
      bound -= 2.0 * std::abs(matrix_q[i * D + j] - matrix_p[i * D + j]) * half_width[i] * half_width[j];
    }
  }
  return bound;
}

}  // namespace coppice::kernels
