// SPDX-License-Identifier: BSD-3-Clause
// Which clusters are beaten everywhere in a box (docs/families/gaussian.md): two lower bounds of the difference of two
// quadratic forms, each valid for any pair, and much stronger than comparing the least of one with the largest of the
// other ([L] section 9.1; docs/errata.md has what is wrong with the bounds printed there). Every candidate meets only
// the form that is least at the centre, O(K D^2) for a box. The cheap bound comes first, and none is computed for a
// candidate that is not even behind at the centre.

#include "coppice/kernels/pair_bound.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_bound.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/two_forms-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;

// sum_i term(i) over vectors; the rest one by one.
// Lanes are added up in an order that differs between machines; the band of a tie is far wider than that rounding.
template <class VectorTerm, class Term>
double Sum(std::size_t n, const VectorTerm& vector_term, const Term& term) {
  const Tag d;
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) sum = hn::Add(sum, vector_term(d, i));
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i) total += term(i);
  return total;
}

double Dot(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  return Sum(
      n, [&](Tag d, std::size_t i) HWY_ATTR { return hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i)); },
      [&](std::size_t i) { return a[i] * b[i]; });
}

double DotOfSizes(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  return Sum(
      n, [&](Tag d, std::size_t i) HWY_ATTR { return hn::Mul(hn::Abs(hn::LoadU(d, a + i)), hn::LoadU(d, b + i)); },
      [&](std::size_t i) { return std::abs(a[i]) * b[i]; });
}

double DotOfDifferences(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, const double* HWY_RESTRICT weight,
                        std::size_t n) {
  return Sum(
      n,
      [&](Tag d, std::size_t i) HWY_ATTR {
        return hn::Mul(hn::Abs(hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i))), hn::LoadU(d, weight + i));
      },
      [&](std::size_t i) { return std::abs(a[i] - b[i]) * weight[i]; });
}

// The functions of the header for any number of columns; `t` is memory for as many numbers.
struct AnyColumns {
  std::span<const double> centre;
  std::span<const double> half_width;
  double* t;

  [[nodiscard]] std::size_t n() const { return centre.size(); }

  AtCentre at_centre(const BoxForm& form, double* gradient) const {
    for (std::size_t i = 0; i < n(); ++i) t[i] = centre[i] - form.m[i];
    AtCentre result{form.a, Dot(t, t, n())};
    for (std::size_t i = 0; i < n(); ++i) {
      const double y = Dot(form.matrix + i * n(), t, n());
      gradient[i] = 2.0 * y;
      result.value += t[i] * y;
    }
    return result;
  }
  double curvature(const double* matrix) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n(); ++i) {
      sum += half_width[i] * DotOfSizes(matrix + i * n(), half_width.data(), n());
    }
    return sum;
  }
  double tangent_bound(double difference, const double* gradient_q, const double* gradient_p,
                       double curvature_p) const {
    return difference - curvature_p - DotOfDifferences(gradient_q, gradient_p, half_width.data(), n());
  }
  double curvature_bound(double difference, const double* gradient_q, const double* gradient_p, const double* matrix_q,
                         const double* matrix_p) const {
    double bound = difference;
    for (std::size_t i = 0; i < n(); ++i) {
      const double* row_q = matrix_q + i * n();
      const double* row_p = matrix_p + i * n();
      // The matrices are symmetric: twice what stands before the diagonal.
      const double beside = 2.0 * DotOfDifferences(row_q, row_p, half_width.data(), i);
      bound += least_parabola(gradient_q[i] - gradient_p[i], row_q[i] - row_p[i], half_width[i]);
      bound -= half_width[i] * beside;
    }
    return bound;
  }
};

template <std::size_t D>
struct Columns {
  std::span<const double, D> centre;
  std::span<const double, D> half_width;

  [[nodiscard]] static constexpr std::size_t n() { return D; }
  HWY_INLINE AtCentre at_centre(const BoxForm& form, double* gradient) const {
    return kernels::at_centre(form, centre, gradient);
  }
  HWY_INLINE double curvature(const double* matrix) const { return kernels::curvature(matrix, half_width); }
  HWY_INLINE double tangent_bound(double difference, const double* gradient_q, const double* gradient_p,
                                  double curvature_p) const {
    return kernels::tangent_bound(difference, gradient_q, gradient_p, curvature_p, half_width);
  }
  HWY_INLINE double curvature_bound(double difference, const double* gradient_q, const double* gradient_p,
                                    const double* matrix_q, const double* matrix_p) const {
    return kernels::curvature_bound(difference, gradient_q, gradient_p, matrix_q, matrix_p, half_width);
  }
};

template <class Math>
HWY_INLINE std::size_t DropBeatenBy(const Math& math, const double* records, double squared_radius,
                                    const PairMargin& margin, std::int32_t* HWY_RESTRICT candidates,
                                    std::size_t n_candidates, double* HWY_RESTRICT values,
                                    double* HWY_RESTRICT gradients) {
  const std::size_t n = math.n();
  const std::size_t size_of_matrix = n * n;
  const auto record = [=](std::size_t i) {
    return records + static_cast<std::size_t>(candidates[i]) * (n + size_of_matrix + 2);
  };
  std::size_t best = 0;
  double reach = 0.0;
  for (std::size_t i = 0; i < n_candidates; ++i) {
    const double* m = record(i);
    const double* constants = m + n + size_of_matrix;  // a, then the trace
    const AtCentre at = math.at_centre({m, m + n, constants[0]}, gradients + i * n);
    values[i] = at.value;
    if (at.value < values[best]) best = i;
    // ||x - m||^2 <= 2 (||c - m||^2 + ||w||^2); an infinite form is nobody's rival
    const double of_form = std::abs(constants[0]) + 4.0 * constants[1] * (at.squared_distance + squared_radius);
    if (of_form > reach && of_form < std::numeric_limits<double>::infinity()) reach = of_form;
  }
  const double limit = margin.lead + margin.band * (1.0 + 2.0 * reach);
  const double* matrix_p = record(best) + n;
  const double* gradient_p = gradients + best * n;
  const double curvature_p = math.curvature(matrix_p);
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < n_candidates; ++i) {
    const double difference = values[i] - values[best];
    const double* gradient_q = gradients + i * n;
    // Both bounds are at most the difference at the centre: if that does not exceed the limit, neither does a bound. A
    // difference that is not a number leaves the candidate in.
    const bool is_beaten = difference > limit &&
                           (math.tangent_bound(difference, gradient_q, gradient_p, curvature_p) > limit ||
                            math.curvature_bound(difference, gradient_q, gradient_p, record(i) + n, matrix_p) > limit);
    if (!is_beaten) candidates[n_left++] = candidates[i];
  }
  return n_left;
}

template <std::size_t D>
struct FewSides {
  double centre[D];
  double half_width[D];
  double squared_radius = 0.0;

  HWY_INLINE FewSides(const double* low, const double* high) {
    for (std::size_t i = 0; i < D; ++i) {
      centre[i] = 0.5 * (low[i] + high[i]);
      half_width[i] = std::max(high[i] - centre[i], centre[i] - low[i]);  // the centre is rounded
      squared_radius += half_width[i] * half_width[i];
    }
  }
  [[nodiscard]] HWY_INLINE Columns<D> columns() const {
    return {std::span<const double, D>(centre), std::span<const double, D>(half_width)};
  }
};

template <std::size_t D>
void DropBeatenFew(const PairTester::Forms& forms, const PairMargin& margin, ContestedBox* boxes, std::size_t n_boxes,
                   double* scratch) {
  for (std::size_t first = 0; first < n_boxes; first += boxes_at_once) {
    const std::size_t last = std::min(n_boxes, first + boxes_at_once) - 1;
    // A box that is alone stands for both.
    if (boxes[first].n == 2 && DropBeatenOfTwo<D>(forms.records, margin, boxes[first], boxes[last])) continue;
    for (std::size_t i = first; i <= last; ++i) {
      const FewSides<D> box(boxes[i].low, boxes[i].high);
      boxes[i].n = DropBeatenBy(box.columns(), forms.records, box.squared_radius, margin, boxes[i].candidates,
                                boxes[i].n, scratch, scratch + boxes[i].n);
    }
  }
}

// Scratch: centre, half width, t, then values and gradients.
void DropBeatenAny(const PairTester::Forms& forms, const PairMargin& margin, ContestedBox* boxes, std::size_t n_boxes,
                   double* scratch) {
  const std::size_t n = forms.n_columns;
  double* centre = scratch;
  double* half_width = scratch + n;
  double* values = scratch + 3 * n;
  const AnyColumns math{{centre, n}, {half_width, n}, scratch + 2 * n};
  for (ContestedBox& box : std::span(boxes, n_boxes)) {
    double squared_radius = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      centre[i] = 0.5 * (box.low[i] + box.high[i]);
      half_width[i] = std::max(box.high[i] - centre[i], centre[i] - box.low[i]);  // the centre is rounded
      squared_radius += half_width[i] * half_width[i];
    }
    box.n = DropBeatenBy(math, forms.records, squared_radius, margin, box.candidates, box.n, values, values + box.n);
  }
}

PairTester::Drop ChooseDrop(std::size_t n_columns) {
  switch (n_columns) {
    case 1:
      return DropBeatenFew<1>;
    case 2:
      return DropBeatenFew<2>;
    case 3:
      return DropBeatenFew<3>;
    case 4:
      return DropBeatenFew<4>;
    default:
      return DropBeatenAny;
  }
}

AtCentre FormAtCentre(const BoxForm& form, std::span<const double> centre, double* t, double* gradient) {
  return AnyColumns{centre, centre, t}.at_centre(form, gradient);
}
double Curvature(const double* matrix, std::span<const double> half_width) {
  return AnyColumns{half_width, half_width, nullptr}.curvature(matrix);
}
double TangentBound(double difference, const double* gradient_q, const double* gradient_p, double curvature_p,
                    std::span<const double> half_width) {
  return AnyColumns{half_width, half_width, nullptr}.tangent_bound(difference, gradient_q, gradient_p, curvature_p);
}
double CurvatureBound(double difference, const double* gradient_q, const double* gradient_p, const double* matrix_q,
                      const double* matrix_p, std::span<const double> half_width) {
  return AnyColumns{half_width, half_width, nullptr}.curvature_bound(difference, gradient_q, gradient_p, matrix_q,
                                                                     matrix_p);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(ChooseDrop);
HWY_EXPORT(FormAtCentre);
HWY_EXPORT(Curvature);
HWY_EXPORT(TangentBound);
HWY_EXPORT(CurvatureBound);

PairTester::PairTester(std::size_t n_columns)
    : n_columns_(n_columns), drop_(HWY_DYNAMIC_DISPATCH(ChooseDrop)(n_columns)) {}

void PairTester::append(std::span<const double> m, std::span<const double> matrix, double a) {
  records_.insert(records_.end(), m.begin(), m.end());
  records_.insert(records_.end(), matrix.begin(), matrix.end());
  // w' A w <= tr A ||w||^2 for a positive semidefinite A: a bound on how large the form gets that costs one number.
  double trace = 0.0;
  for (std::size_t i = 0; i < n_columns_; ++i) trace += matrix[i * n_columns_ + i];
  records_.push_back(a);
  records_.push_back(trace);
}

AtCentre at_centre(const BoxForm& form, std::span<const double> centre, double* gradient) noexcept {
  // The single questions are for tests and few calls; over many boxes PairTester brings memory of its own.
  std::vector<double> t(centre.size());
  return HWY_DYNAMIC_DISPATCH(FormAtCentre)(form, centre, t.data(), gradient);
}

double curvature(const double* matrix, std::span<const double> half_width) noexcept {
  return HWY_DYNAMIC_DISPATCH(Curvature)(matrix, half_width);
}

double tangent_bound(double difference, const double* gradient_q, const double* gradient_p, double curvature_p,
                     std::span<const double> half_width) noexcept {
  return HWY_DYNAMIC_DISPATCH(TangentBound)(difference, gradient_q, gradient_p, curvature_p, half_width);
}

double curvature_bound(double difference, const double* gradient_q, const double* gradient_p, const double* matrix_q,
                       const double* matrix_p, std::span<const double> half_width) noexcept {
  return HWY_DYNAMIC_DISPATCH(CurvatureBound)(difference, gradient_q, gradient_p, matrix_q, matrix_p, half_width);
}

}  // namespace coppice::kernels
#endif
