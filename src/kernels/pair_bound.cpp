// SPDX-License-Identifier: BSD-3-Clause
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

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;

// sum_i term(i) over vectors; the rest one by one.
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

// The least value of g' t + t' H t for t in a box of two columns. It is on one of the four sides, where it is that of a
// parabola, or inside.
HWY_INLINE double LeastInBox(const double* w, const double* g, const double* h) {
  const auto on_side = [&](std::size_t along, double t) HWY_ATTR {  // the other coordinate is t
    const std::size_t across = 1 - along;
    return (g[across] + h[3 * across] * t) * t + least_parabola(g[along] + 2.0 * h[1] * t, h[3 * along], w[along]);
  };
  const double on_sides =
      std::min(std::min(on_side(0, w[1]), on_side(0, -w[1])), std::min(on_side(1, w[0]), on_side(1, -w[0])));
  const double determinant = h[0] * h[3] - h[1] * h[1];
  const double scale = 0.5 / determinant;
  const double t0 = (h[1] * g[1] - h[3] * g[0]) * scale;
  const double t1 = (h[1] * g[0] - h[0] * g[1]) * scale;
  // Below 0 where the stationary point is a minimum inside the box. Maxima ignore what is not a number and comes
  // second.
  const double beyond = std::max(std::max(-h[0], -determinant), std::max(std::abs(t0) - w[0], std::abs(t1) - w[1]));
  const double inside = 0.5 * (g[0] * t0 + g[1] * t1);
  return std::min(on_sides, beyond < 0.0 ? inside : on_sides);
}

// Two forms seen from the centre of a box.
template <std::size_t D>
struct TwoForms {
  BoxForm forms[2];
  double values[2];
  double gradients[2][D];
  double reach = 0.0;

  HWY_INLINE TwoForms(const FewSides<D>& box, const double* records, const std::int32_t* candidates) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double* m = records + static_cast<std::size_t>(candidates[i]) * (D + D * D + 2);
      const double* constants = m + D + D * D;  // a, then the trace
      forms[i] = {m, m + D, constants[0]};
      const AtCentre at = box.columns().at_centre(forms[i], gradients[i]);
      values[i] = at.value;
      const double distance = at.squared_distance + box.squared_radius;
      reach = std::max(reach, std::abs(constants[0]) + 4.0 * constants[1] * distance);
    }
  }

  // At most the least lead of the form that is smaller at the centre; two columns: the lead itself.
  [[nodiscard]] HWY_INLINE double LeastLead(const FewSides<D>& box) const {
    const double difference = values[1] - values[0];
    if constexpr (D == 2) {
      const double sign = std::copysign(1.0, difference);
      double gradient[2];
      double curvature[4];
      for (std::size_t i = 0; i < 2; ++i) gradient[i] = sign * (gradients[1][i] - gradients[0][i]);
      for (std::size_t i = 0; i < 4; ++i) curvature[i] = sign * (forms[1].matrix[i] - forms[0].matrix[i]);
      return std::abs(difference) + LeastInBox(box.half_width, gradient, curvature);
    } else {
      const std::size_t p = difference < 0.0 ? 1 : 0;
      const std::size_t q = 1 - p;
      const Columns<D> math = box.columns();
      return std::max(
          math.tangent_bound(std::abs(difference), gradients[q], gradients[p], math.curvature(forms[p].matrix)),
          math.curvature_bound(std::abs(difference), gradients[q], gradients[p], forms[q].matrix, forms[p].matrix));
    }
  }
};

// Nearly all boxes below the top of a tree are between two forms, and no branch predictor knows how the test ends:
// everything is computed, and nothing branches. Returns 0, and changes nothing, if a form is infinite.
template <std::size_t D>
HWY_INLINE std::size_t DropBeatenOfTwo(const FewSides<D>& box, const double* records, const PairMargin& margin,
                                       std::int32_t* candidates) {
  const TwoForms<D> two(box, records, candidates);
  if (!(two.reach < std::numeric_limits<double>::infinity())) return 0;
  const bool is_beaten = two.LeastLead(box) > margin.lead + margin.band * (1.0 + 2.0 * two.reach);
  candidates[0] = candidates[is_beaten && two.values[1] < two.values[0] ? 1 : 0];
  return is_beaten ? 1 : 2;
}

template <std::size_t D>
std::size_t DropBeatenFew(const PairTester::Forms& forms, const double* low, const double* high,
                          const PairMargin& margin, std::int32_t* candidates, std::size_t n_candidates,
                          double* scratch) {
  const FewSides<D> box(low, high);
  if (n_candidates == 2) {
    const std::size_t n_left = DropBeatenOfTwo(box, forms.records, margin, candidates);
    if (n_left > 0) return n_left;
  }
  return DropBeatenBy(box.columns(), forms.records, box.squared_radius, margin, candidates, n_candidates, scratch,
                      scratch + n_candidates);
}

// Scratch: centre, half width, t, then values and gradients.
std::size_t DropBeatenAny(const PairTester::Forms& forms, const double* low, const double* high,
                          const PairMargin& margin, std::int32_t* candidates, std::size_t n_candidates,
                          double* scratch) {
  const std::size_t n = forms.n_columns;
  double* centre = scratch;
  double* half_width = scratch + n;
  double squared_radius = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    centre[i] = 0.5 * (low[i] + high[i]);
    half_width[i] = std::max(high[i] - centre[i], centre[i] - low[i]);  // the centre is rounded
    squared_radius += half_width[i] * half_width[i];
  }
  double* values = scratch + 3 * n;
  const AnyColumns math{{centre, n}, {half_width, n}, scratch + 2 * n};
  return DropBeatenBy(math, forms.records, squared_radius, margin, candidates, n_candidates, values,
                      values + n_candidates);
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
  double trace = 0.0;
  for (std::size_t i = 0; i < n_columns_; ++i) trace += matrix[i * n_columns_ + i];
  records_.push_back(a);
  records_.push_back(trace);
}

AtCentre at_centre(const BoxForm& form, std::span<const double> centre, double* gradient) noexcept {
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
